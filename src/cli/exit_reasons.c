// SPDX-License-Identifier: Apache-2.0
#include "cli/exit_reasons.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/printable.h"

void exit_reasons_deinit(struct exit_reasons *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->shown[i].text);
	*r = (struct exit_reasons){};
}

static struct exit_reason *find(struct exit_reasons *r, const char *text)
{
	size_t i = 0;

	while (i < r->n && strcmp(r->shown[i].text, text) != 0)
		i++;
	if (i == EXIT_REASONS_SHOWN)
		return NULL;
	if (i == r->n)
		r->shown[r->n++].text = memory_strdup(text);
	return &r->shown[i];
}

void exit_reasons_add(struct exit_reasons *r, const struct plan_site *s, const char *subject)
{
	struct exit_reason *reason;

	if (s->refusal || s->exit != EXIT_BY_EXITS || !s->exit_reason)
		return;
	reason = find(r, s->exit_reason);
	r->are_more |= !reason;
	if (reason && subject && !listing_has(&reason->subjects, subject))
		listing_add(&reason->subjects, subject);
}

static void put_subjects(const struct listing *subjects, FILE *out)
{
	_cleanup_(buffer_deinit) struct buffer names = {};

	if (!subjects->n)
		return;
	listing_put(subjects, &names);
	fputs(" (", out);
	printable_put(buffer_text(&names), out);
	fputc(')', out);
}

void exit_reasons_put(const struct exit_reasons *r, const char *indent, FILE *out)
{
	for (size_t i = 0; i < r->n; i++) {
		fprintf(out, "%sby exits", indent);
		if (r->n > 1)
			put_subjects(&r->shown[i].subjects, out);
		fputs(": ", out);
		printable_put(r->shown[i].text, out);
		fputc('\n', out);
	}
	if (r->are_more)
		fprintf(out, "%sby exits: for more reasons, which --json tells\n", indent);
}
