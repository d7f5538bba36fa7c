// SPDX-License-Identifier: Apache-2.0
/*
 * What a pattern selects in a file.
 *
 * A plain name means the default version where a symbol has several, and one address: several
 * functions of one name are refused, all of them, unless the probe says `match: all`. It counts
 * also where the name can't be probed, so that the site shows up as refused. A glob or a
 * regular expression means every function that it matches, but for cold parts, which nobody
 * calls, and for the start-up code that compilers add. Exact wins: where a symbol has just the
 * text of a glob for its name, the glob is that name.
 */
#include "plan/request.h"

#include <string.h>

void request_init(struct request *r, struct selection *s, const struct pattern *p)
{
	*r = (struct request){.selection = s, .pattern = p};
	if (p->kind == PATTERN_NAME)
		r->wanted = wanted_name_parse(p->text, s->file->arena);
	else
		matcher_init(&r->matcher, p, s->file->arena);
	if (p->kind == PATTERN_GLOB)
		r->wanted.name = p->text;
	r->hints.wanted = r->wanted.name;
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

/* From all symbols of the wanted name to the ones that it means. Code before what is none; of
 * that, the first will do to say what the name is. */
static void choose_exact(struct request *r)
{
	r->chosen = r->exact;
	if (has(&r->chosen, r, passes_kind))
		keep(&r->chosen, r, passes_kind);
	else if (r->chosen.n)
		r->chosen.n = 1;
	if (r->wanted.version)
		keep(&r->chosen, r, passes_version);
	else if (has(&r->chosen, r, passes_default))
		keep(&r->chosen, r, passes_default);
}

void request_choose(struct request *r)
{
	r->is_exact = r->exact.n > 0;
	if (r->is_too_wide)
		return;
	if (r->is_exact)
		choose_exact(r);
	else
		r->chosen = r->matched;
	symbols_unify(&r->chosen);
}

bool request_misses(const struct request *r)
{
	return r->pattern->kind == PATTERN_NAME && !r->exact.n;
}

bool request_is_ifunc(const struct request *r)
{
	return r->is_exact && has(&r->chosen, r, passes_ifunc);
}

bool request_is_import(const struct request *r)
{
	return r->is_exact && has(&r->chosen, r, passes_import);
}
