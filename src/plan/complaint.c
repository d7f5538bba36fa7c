// SPDX-License-Identifier: Apache-2.0
#include "plan/complaint.h"

#include <inttypes.h>

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

static void put_hints(const struct request *r, struct buffer *text)
{
	const struct hints *h = &r->hints;

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
		buffer_printf(text, "%s%s", i ? ", " : "", h->near[i]);
	if (!r->selection->file->has_local_names)
		buffer_puts(text, "; it seems to be stripped: of its functions only those keep a "
				  "name that other files can call");
}

static void tell_missing(const struct request *r)
{
	_cleanup_(buffer_deinit) struct buffer hints = {};

	put_hints(r, &hints);
	if (r->pattern->kind == PATTERN_NAME)
		reasons_troublef(r->selection->reasons, "no function %s in %s%s", quoted(r),
			origin(r), buffer_text(&hints));
	else
		reasons_troublef(r->selection->reasons, "no function in %s matches %s", origin(r),
			quoted(r));
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

/* "foo at 0x1149 (23 bytes), foo@V1 at 0x1160 (4 bytes) and 3 more" */
static void put_candidates(const struct request *r, struct buffer *text)
{
	struct arena *a = r->selection->file->arena;
	struct listing l = {};

	for (size_t i = 0; i < r->chosen.n; i++) {
		const struct symbol *s = &r->chosen.items[i];

		listing_add(&l,
			arena_printf(a, "%s at 0x%" PRIx64 " (%" PRIu64 " bytes)",
				name_with_version(s->name, s->version, s->is_default_version, a),
				s->address, s->size));
	}
	listing_put(&l, text);
}

void complain_ambiguous(const struct request *r)
{
	_cleanup_(buffer_deinit) struct buffer candidates = {};

	put_candidates(r, &candidates);
	reasons_troublef(r->selection->reasons,
		"%zu functions of %s are meant by %s: %s; `match: all` counts them together",
		r->chosen.n, origin(r), quoted(r), buffer_text(&candidates));
}

void complain_excluded(const struct request *r)
{
	reasons_troublef(r->selection->reasons, "`exclude` leaves nothing of %s in %s", quoted(r),
		origin(r));
}

void note_clones(const struct request *r)
{
	const struct listing *clones = &r->hints.clones;
	const char *text;

	if (!r->is_exact || !clones->n)
		return;
	text = arena_printf(r->selection->file->arena,
		"made by the compiler from %s; such calls are not counted unless it is named",
		r->wanted.name);
	for (size_t i = 0; i < clones->n && i < LISTING_SHOWN; i++)
		reasons_note(r->selection->reasons, clones->items[i], text);
}
