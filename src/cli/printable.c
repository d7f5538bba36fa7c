// SPDX-License-Identifier: Apache-2.0
#include "cli/printable.h"

#include "base/utf8.h"
#include "plan/handover.h"

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

void printable_put_inlined(const struct plan_inlined *i, FILE *out)
{
	if (!i->n_places)
		return;
	fprintf(out, "  inlined %ux", i->n_places);
	if (i->callers) {
		fputs(": ", out);
		printable_put(i->callers, out);
	}
}

void printable_put_handover(const struct plan_site *s, FILE *out)
{
	size_t n = handover_count(s);

	if (n && !s->refusal)
		fprintf(out, "  jumps on at %zu of %zu exits", n, s->n_exits);
}

/* Of its exits, as far as they have sites, the dearest; or NULL. */
static const char *exit_cost(const struct plan_site *s)
{
	enum cost_class dearest = COST_NOP5;

	for (size_t i = 0; i < s->n_exits; i++)
		if (s->exits[i].cost > dearest)
			dearest = s->exits[i].cost;
	return s->n_exits ? cost_class_name(dearest) : NULL;
}

void printable_put_cost(const struct plan_site *s, int width, FILE *out)
{
	const char *at_exit = exit_cost(s);
	char text[32];
	int n;

	n = snprintf(text, sizeof(text), s->behind ? "%s +%u" : "%s", cost_class_name(s->cost),
		s->behind);
	if (at_exit)
		snprintf(text + n, sizeof(text) - (size_t)n, ", %s", at_exit);
	fprintf(out, "%-*s", width, s->refusal ? "-" : text);
}
