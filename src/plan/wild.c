// SPDX-License-Identifier: Apache-2.0
/*
 * A mangled name is made readable at most once for all patterns, and only if one of them has a word
 * that stands in it.
 */
#include "plan/wild.h"

#include <string.h>

#include "plan/request.h"

enum { RAW, FULL, SIGNATURE, BARE, N_SUBJECTS };

/* A symbol as the patterns see it. */
struct sight {
	struct forms *forms;
	struct subject subjects[N_SUBJECTS];
	size_t n_subjects;
	bool may_be_readable;
};

static void make_readable(struct sight *s)
{
	const struct demangled *d = &s->forms->demangled;

	s->may_be_readable = false;
	if (!forms_read(s->forms, s->subjects[RAW].name))
		return;
	subject_init(&s->subjects[FULL], buffer_text(&d->full));
	subject_init(&s->subjects[SIGNATURE], buffer_text(&d->signature));
	subject_init(&s->subjects[BARE], buffer_text(&d->bare));
	s->n_subjects = N_SUBJECTS;
}

static bool matches(const struct matcher *m, struct sight *s)
{
	if (matcher_matches(m, &s->subjects[RAW]))
		return true;
	if (s->may_be_readable && matcher_may_match_readable(m, &s->subjects[RAW]))
		make_readable(s);
	for (size_t i = FULL; i < s->n_subjects; i++)
		if (matcher_matches(m, &s->subjects[i]))
			return true;
	return false;
}

/* Whether a pattern that matches means it, if it is a clone: parts of functions only where the
 * pattern says so. */
static bool means(const struct wild *w, const struct request *r, const char *name)
{
	const char *text = r->pattern->text;
	size_t n_base;
	enum clone_kind kind = name_clone_kind(name, &n_base);

	if (kind == CLONE_COLD)
		return strstr(text, ".cold") != NULL;
	return kind != CLONE_PART || w->takes_parts || strstr(text, ".part");
}

void wild_meet(struct wild *w, const struct subject *symbol, wild_visit *visit, void *data)
{
	struct sight s = {.forms = w->forms, .n_subjects = 1, .subjects[RAW] = *symbol};

	s.may_be_readable = is_mangled(symbol->name);
	for (size_t i = 0; i < w->n; i++)
		if (matches(&w->requests[i]->matcher, &s) && means(w, w->requests[i], symbol->name))
			visit(w->requests[i], data);
}
