// SPDX-License-Identifier: Apache-2.0
/*
 * Unlike a function that is wanted, one that is not is any that the pattern could mean: there is no
 * best fit, and an overload that is named without parameters is left out with all others.
 */
#include "plan/exclude.h"

#include <string.h>

#include "plan/spelling.h"

struct question {
	const char *spelling; /* of the pattern */
	bool is_answered;
};

static void compare(const char *spelling, unsigned fit, void *data)
{
	struct question *q = data;

	q->is_answered |= fit < FIT_OF_CLONE && !strcmp(spelling, q->spelling);
}

static bool is_named(const struct pattern *p, const char *symbol, struct forms *f)
{
	_cleanup_(buffer_deinit) struct buffer spelling = {};
	struct question q = {};

	if (p->kind == PATTERN_REGEX)
		return false;
	q.spelling = spelling_of(p->text, &spelling);
	forms_visit(f, symbol, true, compare, &q);
	return q.is_answered;
}

static bool is_matched(const struct pattern *p, const char *symbol, struct forms *f)
{
	const struct demangled *d = &f->demangled;

	if (p->kind == PATTERN_NAME)
		return false;
	return pattern_matches(p, symbol) ||
	       (forms_read(f, symbol) && (pattern_matches(p, buffer_text(&d->full)) ||
						 pattern_matches(p, buffer_text(&d->signature)) ||
						 pattern_matches(p, buffer_text(&d->bare))));
}

bool excludes(const struct patterns *patterns, const char *symbol, struct forms *f)
{
	for (size_t i = 0; i < patterns->n; i++)
		if (is_matched(&patterns->items[i], symbol, f) ||
			is_named(&patterns->items[i], symbol, f))
			return true;
	return false;
}
