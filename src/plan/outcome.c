// SPDX-License-Identifier: Apache-2.0
/*
 * What becomes of the symbols that a request chose: functions of its selection, some of them
 * refused from the start. Two requests may choose one address; a name that was written wins over
 * one that a pattern met, and between such the shortest does.
 */
#include <string.h>

#include "plan/complaint.h"
#include "plan/site.h"
#include "plan/structor.h"

/* Takes those off that `exclude` names. */
static void drop_excluded(struct request *r)
{
	const struct addresses *table = &r->selection->file->addresses;
	size_t n = 0;

	if (!r->selection->probe->config->exclude.n)
		return;
	for (size_t i = 0; i < r->chosen.n; i++) {
		const struct symbol *s = &r->chosen.items[i];

		if (!is_code(s->kind) ||
			!address_is_excluded(address_find(table, s->address), r->selection))
			r->chosen.items[n++] = *s;
	}
	if (r->chosen.n && !n)
		complain_excluded(r);
	r->chosen.n = n;
}

static bool means_one(const struct request *r)
{
	enum match match = r->selection->probe->config->match;

	return match == MATCH_DEFAULT ? r->is_exact : match == MATCH_ONE;
}

/* How many functions the request chose; bodies of one constructor are one. */
static size_t count_functions(const struct request *r)
{
	enum { MOST_COMPARED = 64 };
	struct file *f = r->selection->file;

	if (r->chosen.n > MOST_COMPARED)
		return r->chosen.n;
	return structors_count(&r->chosen, &f->forms, f->arena);
}

static const char *ifunc_refusal(const struct request *r)
{
	static const char text[] = "an IFUNC: what has the name is a resolver, called once to pick "
				   "one of several implementations";
	_cleanup_(buffer_deinit) struct buffer names = {};

	if (!request_is_ifunc(r))
		return text; /* met by a pattern */
	if (!r->hints.implementations.n)
		return arena_printf(r->selection->file->arena,
			"%s, which can't be told from the names that the file has", text);
	listing_put(&r->hints.implementations, &names);
	return arena_printf(r->selection->file->arena, "%s, likely %s", text, buffer_text(&names));
}

static const char *import_refusal(const struct request *r)
{
	const char *library = r->hints.library;

	if (!library)
		return "imported: it is defined in another file, a library that this one is linked "
		       "with";
	return arena_printf(r->selection->file->arena,
		"imported: it is defined in another file: %s, which this one is linked with",
		library);
}

static const char *kind_refusal(
	const struct request *r, enum elf_symbol_kind kind, enum clone_kind clone)
{
	static const char *const texts[] = {
		[ELF_FUNCTION] = NULL,
		[ELF_DATA] = "data, not a function",
		[ELF_ZERO_SIZE] = "without a size in the symbol table: where its instructions end "
				  "is not known",
		[ELF_OUTSIDE] = "not in an executable segment of the file",
	};

	if (kind == ELF_UNDEFINED)
		return import_refusal(r);
	if (kind == ELF_FUNCTION && clone == CLONE_COLD)
		return "a part of a function that is rarely run: it is jumped into, at any of its "
		       "instructions";
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

/* What was written; or, for now, what series.c makes unique. An import's version says which one it
 * would have, not which one it is. */
static const char *label_of(const struct request *r, const struct function *f, struct arena *a)
{
	const char *name = r->is_exact ? r->wanted.name : f->readable.bare;
	const struct symbol *s = &f->symbol;

	return is_code(s->kind) ? name_with_version(name, s->version, s->is_default_version, a)
				: name;
}

/* A list makes names readable when it shows them. */
static void name_function(
	struct function *f, const struct request *r, const struct symbol *s, enum clone_kind clone)
{
	struct file *file = r->selection->file;

	f->symbol = *s;
	f->is_exact = r->is_exact;
	f->is_changed_clone = clone == CLONE_CHANGED && !(r->is_exact && r->fit < FIT_OF_CLONE);
	if (file->is_listed)
		f->label =
			name_with_version(s->name, s->version, s->is_default_version, file->arena);
	else {
		f->readable = readable_of(&file->forms, s->name, file->arena);
		f->label = label_of(r, f, file->arena);
	}
}

static void take(struct request *r, const struct symbol *s, bool is_ambiguous)
{
	struct function *f = find_or_add(r->selection, s);
	struct file *file = r->selection->file;
	bool is_new = !f->label;
	size_t n_base;
	enum clone_kind clone = name_clone_kind(s->name, &n_base);

	if (!keeps_name(f, r, s))
		name_function(f, r, s, clone);
	f->names = is_code(s->kind) ? address_find(&file->addresses, s->address) : NULL;
	f->is_ambiguous = is_ambiguous && (is_new || f->is_ambiguous);
	f->refusal = kind_refusal(r, s->kind, clone);
	if (s->kind == ELF_FUNCTION && elf_file_is_writable(file->elf, s->address))
		f->refusal = writable_refusal;
}

void request_finish(struct request *r)
{
	size_t n_functions;
	bool is_ambiguous;

	if (!r->chosen.n) {
		complain_nothing_chosen(r);
		return;
	}
	drop_excluded(r);
	n_functions = count_functions(r);
	is_ambiguous = means_one(r) && n_functions > 1;
	if (is_ambiguous)
		complain_ambiguous(r, n_functions);
	for (size_t i = 0; i < r->chosen.n; i++)
		take(r, &r->chosen.items[i], is_ambiguous);
	note_clones(r, is_ambiguous);
}
