// SPDX-License-Identifier: Apache-2.0
/*
 * What becomes of the symbols that a request chose: functions of its selection, some of them
 * refused from the start, and lines for people where a pattern doesn't lead to what it should.
 */
#include "plan/request.h"

#include <inttypes.h>
#include <string.h>

/* The start of a sentence that tells more than the refused function's name. */
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

static void tell_nothing_chosen(const struct request *r)
{
	if (r->is_too_wide)
		reasons_troublef(r->selection->reasons, "%s matches too many functions in %s",
			quoted(r), origin(r));
	else if (r->is_exact)
		tell_other_versions(r);
	else
		tell_missing(r);
}

/* Takes those off that `exclude` names. */
static void drop_excluded(struct request *r)
{
	const struct addresses *table = &r->selection->file->addresses;
	size_t n = 0;

	for (size_t i = 0; i < r->chosen.n; i++) {
		const struct symbol *s = &r->chosen.items[i];

		if (!is_code(s->kind) ||
			!address_is_excluded(address_find(table, s->address), r->selection))
			r->chosen.items[n++] = *s;
	}
	if (r->chosen.n && !n)
		reasons_troublef(r->selection->reasons, "`exclude` leaves nothing of %s in %s",
			quoted(r), origin(r));
	r->chosen.n = n;
}

static bool means_one(const struct request *r)
{
	enum match match = r->selection->probe->config->match;

	return match == MATCH_DEFAULT ? r->is_exact : match == MATCH_ONE;
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

static void tell_ambiguous(const struct request *r)
{
	_cleanup_(buffer_deinit) struct buffer candidates = {};

	put_candidates(r, &candidates);
	reasons_troublef(r->selection->reasons,
		"%zu functions of %s are meant by %s: %s; `match: all` counts them together",
		r->chosen.n, origin(r), quoted(r), buffer_text(&candidates));
}

static const char *ifunc_refusal(const struct request *r)
{
	static const char text[] = "an IFUNC: what has the name is a resolver, called once to pick "
				   "one of several implementations";
	_cleanup_(buffer_deinit) struct buffer names = {};

	if (!r->hints.implementations.n)
		return text;
	listing_put(&r->hints.implementations, &names);
	return arena_printf(r->selection->file->arena, "%s, likely %s", text, buffer_text(&names));
}

static const char *kind_refusal(const struct request *r, enum elf_symbol_kind kind)
{
	static const char *const texts[] = {
		[ELF_FUNCTION] = NULL,
		[ELF_UNDEFINED] = "imported: it is defined in another file, a library that this "
				  "one is linked with",
		[ELF_DATA] = "data, not a function",
		[ELF_ZERO_SIZE] = "without a size in the symbol table: where its instructions end "
				  "is not known",
		[ELF_OUTSIDE] = "not in an executable segment of the file",
	};

	return kind == ELF_IFUNC ? ifunc_refusal(r) : texts[kind];
}

static struct function *find_or_add(struct selection *s, const struct symbol *symbol)
{
	struct function_place place = {
		.address = symbol->address,
		.name = is_code(symbol->kind) ? NULL : symbol->name,
	};
	struct function *f;

	HASH_FIND(hh, s->functions, &place, sizeof(place), f);
	if (!f) {
		f = arena_alloc(s->file->arena, sizeof(*f));
		*f = (struct function){.place = place, .selection = s};
		HASH_ADD(hh, s->functions, place, sizeof(place), f);
	}
	return f;
}

/* Whether a function that was named so before keeps that name. */
static bool keeps_name(const struct function *f, const struct request *r, const struct symbol *s)
{
	if (!f->label)
		return false;
	if (f->is_exact || r->is_exact)
		return f->is_exact;
	return strlen(f->symbol.name) < strlen(s->name) ||
	       (strlen(f->symbol.name) == strlen(s->name) && strcmp(f->symbol.name, s->name) <= 0);
}

/* An import's version says which one it would have, not which one it is. */
static const char *label_of(const struct symbol *s, struct arena *a)
{
	if (!is_code(s->kind))
		return s->name;
	return name_with_version(s->name, s->version, s->is_default_version, a);
}

static void take(struct request *r, const struct symbol *s, bool is_ambiguous)
{
	struct function *f = find_or_add(r->selection, s);
	struct file *file = r->selection->file;
	bool is_new = !f->label;

	if (!keeps_name(f, r, s)) {
		f->symbol = *s;
		f->label = label_of(s, file->arena);
		f->is_exact = r->is_exact;
	}
	f->names = is_code(s->kind) ? address_find(&file->addresses, s->address) : NULL;
	f->is_ambiguous = is_ambiguous && (is_new || f->is_ambiguous);
	f->refusal = kind_refusal(r, s->kind);
}

void request_finish(struct request *r)
{
	bool is_ambiguous;

	if (!r->chosen.n) {
		tell_nothing_chosen(r);
		return;
	}
	drop_excluded(r);
	is_ambiguous = means_one(r) && r->chosen.n > 1;
	if (is_ambiguous)
		tell_ambiguous(r);
	for (size_t i = 0; i < r->chosen.n; i++)
		take(r, &r->chosen.items[i], is_ambiguous);
	for (size_t i = 0; r->is_exact && i < r->hints.clones.n && i < LISTING_SHOWN; i++)
		reasons_note(r->selection->reasons, r->hints.clones.items[i],
			arena_printf(r->selection->file->arena,
				"made by the compiler from %s; such calls are not counted "
				"unless it is named",
				r->wanted.name));
}
