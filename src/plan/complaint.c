// SPDX-License-Identifier: Apache-2.0
#include "plan/complaint.h"

#include <inttypes.h>
#include <string.h>

#include "plan/inlined.h"
#include "plan/paste.h"

/* The pattern as it was written. */
static const char *quoted(const struct request *r)
{
	const char *mark = r->pattern->kind == PATTERN_REGEX ? "/" : "\"";

	return arena_printf(r->selection->file->arena, "%s%s%s", mark, r->pattern->text, mark);
}

static const char *origin(const struct request *r)
{
	return r->selection->file->target->origin;
}

static const char *stripped_hint(const struct request *r)
{
	if (r->selection->file->has_local_names)
		return "";
	return "; it seems to be stripped: of its functions only those keep a name that other "
	       "files can call";
}

static void put_hints(const struct request *r, struct buffer *text)
{
	const struct hints *h = &r->hints;
	struct plan_inlined inlined = inlined_named(
		r->selection->file->target, r->wanted.name, r->selection->file->arena);

	if (inlined.n_places) {
		buffer_printf(text, "; the compiler left only copies of it, in %u place%s%s%s",
			inlined.n_places, inlined.n_places == 1 ? "" : "s",
			inlined.callers ? ": in " : "", inlined.callers ? inlined.callers : "");
		return;
	}
	if (h->clones.n) {
		buffer_puts(text, "; the compiler left only ");
		listing_put(&h->clones, text);
		buffer_puts(text, ", which can be named");
		return;
	}
	if (h->library) {
		buffer_printf(text, "; a library that it is linked with has it: %s", h->library);
		return;
	}
	if (h->n_near)
		buffer_puts(text, "; nearest: ");
	for (size_t i = 0; i < h->n_near; i++)
		buffer_printf(text, "%s%s", i ? ", " : "",
			paste_name(h->near[i], r->selection->file->arena));
	buffer_puts(text, stripped_hint(r));
}

static void tell_missing(const struct request *r)
{
	_cleanup_(buffer_deinit) struct buffer hints = {};

	put_hints(r, &hints);
	if (request_misses(r))
		reasons_troublef(r->selection->reasons, "no function %s in %s%s", quoted(r),
			origin(r), buffer_text(&hints));
	else
		reasons_troublef(r->selection->reasons, "no function in %s matches %s%s", origin(r),
			quoted(r), stripped_hint(r));
}

static void tell_other_versions(const struct request *r)
{
	_cleanup_(buffer_deinit) struct buffer versions = {};
	struct listing l = {};

	for (size_t i = 0; i < r->exact.n; i++) {
		const char *version = r->exact.items[i].version;

		if (version && !listing_has(&l, version))
			listing_add(&l, version);
	}
	listing_put(&l, &versions);
	reasons_troublef(r->selection->reasons, "no function %s in %s; %s there has %s%s",
		quoted(r), origin(r), r->wanted.name, l.n ? "the versions " : "no version",
		buffer_text(&versions));
}

void complain_nothing_chosen(const struct request *r)
{
	if (r->is_too_wide)
		reasons_troublef(r->selection->reasons,
			"%s matches too many functions in %s: %zu or more", quoted(r), origin(r),
			r->is_exact ? r->exact.n : r->matched.n);
	else if (r->is_exact)
		tell_other_versions(r);
	else
		tell_missing(r);
}

/* What a candidate can be told from the others by. */
struct candidate {
	const struct symbol *symbol;
	struct readable readable;
	const char *full, *name; /* with their versions */
};

static void candidate_init(struct candidate *c, const struct symbol *s, struct file *f)
{
	c->symbol = s;
	c->readable = readable_of(&f->forms, s->name, f->arena);
	c->full = name_with_version(c->readable.full, s->version, s->is_default_version, f->arena);
	c->name = name_with_version(s->name, s->version, s->is_default_version, f->arena);
}

static bool is_body_of_same(const struct candidate *a, const struct candidate *b)
{
	return a->readable.structor != STRUCTOR_NONE && !strcmp(a->full, b->full);
}

/* A text that means just the i-th candidate; NULL where there is none. */
static const char *means_just(const struct candidate *all, size_t n, size_t i)
{
	bool is_full = true, is_name = true;

	for (size_t k = 0; k < n; k++) {
		if (k == i || is_body_of_same(&all[i], &all[k]))
			continue;
		is_full &= strcmp(all[i].full, all[k].full) != 0;
		is_name &= strcmp(all[i].name, all[k].name) != 0;
	}
	return is_full ? all[i].full : is_name ? all[i].name : NULL;
}

/* "'foo(int)', 'foo(char*)'", which can be written so; of namesakes that nothing tells apart "foo
 * at 0x1149 (23 bytes)". */
static void put_candidates(const struct request *r, struct buffer *text)
{
	struct file *f = r->selection->file;
	size_t n = r->chosen.n < LISTING_SHOWN ? r->chosen.n : LISTING_SHOWN;
	struct candidate *all = arena_array(f->arena, n, sizeof(*all));
	struct listing l = {};

	for (size_t i = 0; i < n; i++)
		candidate_init(&all[i], &r->chosen.items[i], f);
	for (size_t i = 0; i < n; i++) {
		const char *name = means_just(all, n, i);
		const char *item =
			name ? paste_quoted(name, f->arena)
			     : arena_printf(f->arena, "%s at 0x%" PRIx64 " (%" PRIu64 " bytes)",
				       all[i].full, all[i].symbol->address, all[i].symbol->size);

		if (!listing_has(&l, item))
			listing_add(&l, item);
	}
	l.n += r->chosen.n - n;
	listing_put(&l, text);
}

void complain_ambiguous(const struct request *r, size_t n_functions)
{
	_cleanup_(buffer_deinit) struct buffer candidates = {};

	put_candidates(r, &candidates);
	reasons_troublef(r->selection->reasons,
		"%zu functions of %s are meant by %s: %s; `match: all` counts them together",
		n_functions, origin(r), quoted(r), buffer_text(&candidates));
}

void complain_excluded(const struct request *r)
{
	reasons_troublef(r->selection->reasons, "`exclude` leaves nothing of %s in %s", quoted(r),
		origin(r));
}

/* Where the function itself is gone, what is counted in its place. */
static void note_stand_in(const struct request *r)
{
	struct file *f = r->selection->file;

	for (size_t i = 0; i < r->chosen.n && i < LISTING_SHOWN; i++) {
		const char *symbol = r->chosen.items[i].name;
		const char *name = readable_of(&f->forms, symbol, f->arena).full;
		size_t n_base;
		const char *format =
			name_clone_kind(symbol, &n_base) == CLONE_RENAMED
				? "counted under the name that the compiler gave it: %s"
				: "the compiler left only a copy of it, which may take "
				  "other arguments and is counted: %s";

		reasons_note(r->selection->reasons, r->wanted.name,
			arena_printf(f->arena, format, name));
	}
}

void note_clones(const struct request *r, bool is_refused)
{
	const struct listing *clones = &r->hints.clones;
	const char *text;

	if (!r->is_exact)
		return;
	if (r->fit >= FIT_OF_CLONE && !is_refused)
		note_stand_in(r);
	text = arena_printf(r->selection->file->arena,
		"made by the compiler from %s; such calls are not counted unless it is named",
		r->wanted.name);
	for (size_t i = 0; i < clones->n && i < LISTING_SHOWN; i++)
		reasons_note(r->selection->reasons, clones->items[i], text);
}
