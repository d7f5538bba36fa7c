// SPDX-License-Identifier: Apache-2.0
/*
 * Which entries mean the same function: those of one linkage name, or of one name; and where a
 * function is its source file's alone, only if it is declared in the same line of the same file as
 * well. A lambda is its type.
 */
#include <dwarf.h>
#include <string.h>

#include "base/memory.h"
#include "elf/inlined_search.h"

static const char *text_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;

	return dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
}

static const char *linkage_name(Dwarf_Die *die)
{
	const char *name = text_of(die, DW_AT_linkage_name);

	return name ? name : text_of(die, DW_AT_MIPS_linkage_name);
}

/* Where die, or what it is in, stands in the source. */
static void locate(struct search *s, Dwarf_Die *die, struct identity *i)
{
	Dwarf_Off offset = dwarf_dieoffset(die);
	struct entry *e;

	i->file = dwarf_decl_file(die);
	dwarf_decl_line(die, &i->line);
	if (i->file)
		return;
	HASH_FIND(hh, s->entries, &offset, sizeof(offset), e);
	if (e && e->has_home) {
		i->file = dwarf_decl_file(&e->home);
		dwarf_decl_line(&e->home, &i->line);
		dwarf_decl_column(&e->home, &i->column);
	}
	if (!i->file)
		i->offset = offset;
}

static struct identity identify(struct search *s, Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	struct identity i = {.linkage_name = linkage_name(die), .name = text_of(die, DW_AT_name)};
	bool is_external = false;

	dwarf_formflag(dwarf_attr_integrate(die, DW_AT_external, &attribute), &is_external);
	if (!is_external)
		locate(s, die, &i);
	return i;
}

static bool is_text(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

static bool is_same(const struct identity *a, const struct identity *b)
{
	if (!a->file != !b->file || a->offset != b->offset || a->line != b->line ||
		a->column != b->column || (a->file && !is_text(a->file, b->file)))
		return false;
	if (a->linkage_name || b->linkage_name)
		return is_text(a->linkage_name, b->linkage_name);
	return is_text(a->name, b->name);
}

/* The name that people read. */
static const char *readable(struct search *s, Dwarf_Die *die)
{
	const char *name = linkage_name(die);

	if (name && is_mangled(name) && demangle(&s->demangled, name, mangled_size(name)))
		return buffer_text(&s->demangled.bare);
	return text_of(die, DW_AT_name);
}

static bool has_name(struct search *s, struct entry *e, const char *name)
{
	const char *linkage = linkage_name(&e->die), *plain = text_of(&e->die, DW_AT_name);

	if (is_text(linkage, name) || (!linkage && is_text(plain, name)))
		return true;
	if (!plain || !linkage || !is_mangled(linkage) || !strncmp(plain, "<", 1) ||
		!memmem(name, strlen(name), plain, strcspn(plain, "<")))
		return false;
	return demangle(&s->demangled, linkage, mangled_size(linkage)) &&
	       (is_text(buffer_text(&s->demangled.bare), name) ||
		       is_text(buffer_text(&s->demangled.signature), name) ||
		       is_text(buffer_text(&s->demangled.full), name));
}

static void add_callers(struct search *s, struct finding *f, struct entry *e)
{
	for (uint32_t i = 0; i < e->n_callers && i < INLINED_CALLERS_SHOWN; i++) {
		const char *name = readable(s, &e->callers[i]);

		if (!name || f->n_callers >= INLINED_CALLERS_SHOWN ||
			strlen(name) > INLINED_LONGEST_CALLER ||
			strstr(buffer_text(&f->callers), name))
			continue;
		buffer_printf(&f->callers, "%s%s", f->n_callers++ ? ", " : "", name);
	}
}

static void add_entry(struct search *s, struct finding *f, struct entry *e)
{
	f->is_known = true;
	f->n_places += e->n_places;
	add_callers(s, f, e);
}

/* Those with identities are sorted by name, so that each entry finds its own. */
struct named {
	const char *name;
	size_t index;
};

static int compare_named(const void *a, const void *b)
{
	return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

static const char *key_of(const struct identity *i)
{
	return i->linkage_name ? i->linkage_name : i->name ? i->name : "";
}

static size_t sort_known(struct search *s, struct named *out)
{
	size_t n = 0;

	for (size_t i = 0; i < s->question->n_addresses; i++) {
		struct finding *f = &s->findings[i];

		if (!f->is_known)
			continue;
		f->identity = identify(s, &f->die);
		out[n++] = (struct named){key_of(&f->identity), i};
	}
	if (n)
		qsort(out, n, sizeof(*out), compare_named);
	return n;
}

/* The first of those that have the entry's name. */
static size_t first_named(const struct named *all, size_t n, const char *name)
{
	size_t first = 0;

	while (first < n) {
		size_t middle = first + (n - first) / 2;

		if (strcmp(all[middle].name, name) < 0)
			first = middle + 1;
		else
			n = middle;
	}
	return first;
}

static void give(struct search *s, struct entry *e, const struct named *known, size_t n)
{
	const struct inlined_question *q = s->question;
	const char *linkage = linkage_name(&e->die), *plain = text_of(&e->die, DW_AT_name);
	const char *key = linkage ? linkage : plain ? plain : "";
	size_t i = first_named(known, n, key);
	struct identity own = {};

	if (i < n && !strcmp(known[i].name, key))
		own = identify(s, &e->die);
	for (; i < n && !strcmp(known[i].name, key); i++)
		if (is_same(&s->findings[known[i].index].identity, &own))
			add_entry(s, &s->findings[known[i].index], e);
	for (i = 0; i < q->n_names; i++)
		if (has_name(s, e, q->names[i]))
			add_entry(s, &s->findings[q->n_addresses + i], e);
}

void inlined_add_up(struct search *s)
{
	struct named *known = memory_alloc((s->question->n_addresses + 1) * sizeof(*known));
	size_t n = sort_known(s, known);

	for (struct entry *e = s->entries; e; e = e->hh.next)
		if (e->n_places)
			give(s, e, known, n);
}
