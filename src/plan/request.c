// SPDX-License-Identifier: Apache-2.0
/*
 * What a pattern selects in a file.
 *
 * A plain name means what it fits best (plan/forms.h), the default version where a symbol has
 * several, and one function: several are refused, all of them, unless the probe says `match: all`.
 * It counts also where the name can't be probed, so that the site shows up as refused. Where
 * nothing has the name but a clone that is all of the function, the clone is meant.
 *
 * A glob or a regular expression means every function that it matches, but for parts that
 * compilers split off, and for the start-up code that they add. Exact wins: where the text of a
 * glob is a name, the glob is that name.
 */
#include "plan/request.h"

#include <limits.h>
#include <string.h>

#include "plan/structor.h"

void request_init(struct request *r, struct selection *s, const struct pattern *p)
{
	*r = (struct request){.selection = s, .pattern = p};
	if (p->kind != PATTERN_NAME)
		matcher_init(&r->matcher, p, s->file->arena);
	if (p->kind != PATTERN_REGEX)
		r->wanted = wanted_name_parse(p->text, s->file->arena);
	hints_init(&r->hints, r->wanted.name, s->file->arena);
}

typedef bool symbol_test(const struct request *r, const struct symbol *s);

/* Keeps those of s that pass. */
static void keep(struct symbols *s, const struct request *r, symbol_test *passes)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		if (passes(r, &s->items[i]))
			s->items[n++] = s->items[i];
	s->n = n;
}

static bool has(const struct symbols *s, const struct request *r, symbol_test *passes)
{
	for (size_t i = 0; i < s->n; i++)
		if (passes(r, &s->items[i]))
			return true;
	return false;
}

static bool passes_kind(const struct request *r, const struct symbol *s)
{
	(void)r;
	return is_code(s->kind);
}

static bool passes_default(const struct request *r, const struct symbol *s)
{
	(void)r;
	return s->is_default_version;
}

static bool passes_ifunc(const struct request *r, const struct symbol *s)
{
	(void)r;
	return s->kind == ELF_IFUNC;
}

static bool passes_import(const struct request *r, const struct symbol *s)
{
	(void)r;
	return s->kind == ELF_UNDEFINED;
}

static bool passes_version(const struct request *r, const struct symbol *s)
{
	return s->version && !strcmp(s->version, r->wanted.version) &&
	       (s->is_default_version || !r->wanted.must_be_default);
}

static bool passes_fit(const struct request *r, const struct symbol *s)
{
	return s->fit == r->fit;
}

static bool passes_whole(const struct request *r, const struct symbol *s)
{
	size_t n_base;

	(void)r;
	return name_clone_kind(s->name, &n_base) < CLONE_PART;
}

static unsigned best_fit(const struct symbols *s)
{
	unsigned best = UINT_MAX;

	for (size_t i = 0; i < s->n; i++)
		if (s->items[i].fit < best)
			best = s->items[i].fit;
	return best;
}

/* From all symbols that the name could mean to the ones that it does mean. Code before what is
 * none; of that, the first will do to say what the name is. */
static void choose_exact(struct request *r)
{
	if (has(&r->chosen, r, passes_kind))
		keep(&r->chosen, r, passes_kind);
	else if (r->chosen.n)
		r->chosen.n = 1;
	r->fit = best_fit(&r->chosen);
	keep(&r->chosen, r, passes_fit);
	if (r->fit >= FIT_OF_CLONE)
		keep(&r->chosen, r, passes_whole);
	r->is_exact = r->chosen.n > 0;
	if (r->wanted.version)
		keep(&r->chosen, r, passes_version);
	else if (has(&r->chosen, r, passes_default))
		keep(&r->chosen, r, passes_default);
	if (r->pattern->kind == PATTERN_GLOB)
		r->is_exact = r->chosen.n > 0;
}

static bool is_chosen(const struct request *r, const struct symbol *s)
{
	for (size_t i = 0; i < r->chosen.n; i++)
		if (r->chosen.items[i].address == s->address)
			return true;
	return false;
}

/* The clones of the wanted function that were not chosen. */
static void note_left_out(struct request *r)
{
	struct file *f = r->selection->file;
	size_t n_base;

	for (size_t i = 0; i < r->exact.n; i++) {
		const struct symbol *s = &r->exact.items[i];

		if (s->fit >= FIT_OF_CLONE && s->kind == ELF_FUNCTION &&
			name_clone_kind(s->name, &n_base) < CLONE_COLD && !is_chosen(r, s))
			hints_add_clone(&r->hints, readable_of(&f->forms, s->name, f->arena).full,
				f->arena);
	}
}

static struct symbols copy(const struct symbols *s, struct arena *a)
{
	struct symbols all = {.n = s->n, .capacity = s->n};

	all.items = arena_array(a, s->n, sizeof(*all.items));
	if (s->n)
		memcpy(all.items, s->items, s->n * sizeof(*all.items));
	return all;
}

void request_choose_exact(struct request *r)
{
	r->is_exact = r->exact.n > 0;
	if (r->is_too_wide)
		return;
	r->chosen = copy(&r->exact, r->selection->file->arena);
	choose_exact(r);
}

void request_choose(struct request *r)
{
	struct file *f = r->selection->file;

	r->is_too_wide |= !r->is_exact && r->matches_too_many;
	if (r->is_too_wide)
		return;
	if (!r->is_exact)
		r->chosen = r->matched;
	if (!f->is_listed)
		structors_choose(&r->chosen, f->elf, &f->forms);
	symbols_unify(&r->chosen);
	note_left_out(r);
}

/* A C++ signature is a glob by its pointers. */
static bool reads_like_name(const struct pattern *p)
{
	return p->kind == PATTERN_NAME || (p->kind == PATTERN_GLOB && strchr(p->text, '('));
}

bool request_misses(const struct request *r)
{
	return !r->is_exact && !r->matched.n && reads_like_name(r->pattern);
}

bool request_is_ifunc(const struct request *r)
{
	return r->is_exact && has(&r->chosen, r, passes_ifunc);
}

bool request_is_import(const struct request *r)
{
	return r->is_exact && has(&r->chosen, r, passes_import);
}
