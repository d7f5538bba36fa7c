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
