// SPDX-License-Identifier: Apache-2.0
#include "cli/printable.h"

#include "base/utf8.h"

static const char *escape_control(char c)
{
	return (unsigned char)c < ' ' || c == 0x7f ? "?" : NULL;
}

void printable_put(const char *text, FILE *out)
{
	_cleanup_(buffer_deinit) struct buffer b = {};

	utf8_put(&b, text, escape_control);
	fputs(buffer_text(&b), out);
}

void printable_put_cost(const struct plan_site *s, int width, FILE *out)
{
	char text[16];

	snprintf(text, sizeof(text), s->behind ? "%s +%u" : "%s", cost_class_name(s->cost),
		s->behind);
	fprintf(out, "%-*s", width, s->refusal ? "-" : text);
}
