// SPDX-License-Identifier: Apache-2.0
/*
 * The walk over one table of symbols.
 *
 * A table is read in chunks, its names at once; both are gone when the walk ends, because a
 * large program has hundreds of megabytes of them and the exporter lives on. Time is bounded by
 * the size of the file: names may share bytes with each other, as linkers make them do, but a
 * file where they overlap beyond reason is turned down.
 *
 * What a symbol is, is told by its type and by where it points. Hand-written assembler often
 * gives no type: within code that is a function if it has a size.
 */
#include "elf/layout.h"

#include <errno.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"

/* Names lie anywhere in their table: they are fetched a few symbols ahead. */
enum { SYMBOLS_A_CHUNK = 8192, PREFETCHED = 8 };
static const uint64_t largest_table_bytes = 1 << 30;

/* One table on its way through. */
struct walk {
	const struct elf_file *f;   /* that the symbols are of, and in which they lie */
	const struct elf_file *own; /* that the table is in: f, or one that was made beside it */
	const Elf64_Shdr *section;
	const struct strings *names;
	struct versions *versions; /* of .dynsym alone */
	bool is_versioned;         /* so that an @ in a name means something */
	struct buffer plain_name;  /* the part of a name in front of its @ */
	uint64_t name_budget;      /* bytes of names that may still be seen */
	const struct symbol_wish *wish;
};

static void walk_deinit(struct walk *w)
{
	versions_free(w->versions);
	buffer_deinit(&w->plain_name);
}

static enum elf_symbol_kind code_kind(
	const struct walk *w, const Elf64_Sym *symbol, struct elf_symbol *out)
{
	if (!section_is_code(w->own, symbol->st_shndx) ||
		!elf_file_find_code(w->f, symbol->st_value, symbol->st_size, &out->offset))
		return ELF_OUTSIDE;
	return symbol->st_size ? ELF_FUNCTION : ELF_ZERO_SIZE;
}

static enum elf_symbol_kind kind_of(
	const struct walk *w, const Elf64_Sym *symbol, struct elf_symbol *out)
{
	enum elf_symbol_kind kind;

	if (symbol->st_shndx == SHN_UNDEF)
		return ELF_UNDEFINED;
	switch (ELF64_ST_TYPE(symbol->st_info)) {
	case STT_GNU_IFUNC:
		kind = code_kind(w, symbol, out);
		return kind == ELF_OUTSIDE ? ELF_OUTSIDE : ELF_IFUNC;
	case STT_FUNC:
		return code_kind(w, symbol, out);
	case STT_NOTYPE:
		kind = code_kind(w, symbol, out);
		return kind == ELF_OUTSIDE ? ELF_DATA : kind;
	default:
		return ELF_DATA;
	}
}

/* Marks that arm's tools put where code and data begin: $x, $d, $x.42. */
static bool is_mapping_symbol(const struct elf_file *f, const char *name)
{
	return elf_file_machine(f) == ELF_MACHINE_ARM64 && name[0] == '$' &&
	       strchr("xd", name[1]) && name[1] && (!name[2] || name[2] == '.');
}

/* Linkers write the versions of .symtab's symbols into the names: name@VERSION, or, for the
 * default one, name@@VERSION. */
static void split_version(struct walk *w, struct elf_symbol *s)
{
	const char *at = strchr(s->name + 1, '@');

	if (!at)
		return;
	buffer_clear(&w->plain_name);
	buffer_append(&w->plain_name, s->name, (size_t)(at - s->name));
	s->name = buffer_text(&w->plain_name);
	s->is_default_version = at[1] == '@';
	s->version = at + 1 + s->is_default_version;
}

static void look_up_version(const struct walk *w, uint64_t index, struct elf_symbol *s)
{
	bool is_hidden;
	uint32_t name = versions_get(w->versions, index, &is_hidden);

	s->is_default_version = !is_hidden;
	if (!name)
		return;
	s->version = strings_at(w->names, name);
	if (s->kind == ELF_UNDEFINED && s->version)
		s->is_default_version = false;
}

/* The name, or NULL for a symbol that has none. Takes it off the budget. */
static const char *take_name(struct walk *w, const Elf64_Sym *symbol)
{
	const char *name = symbol->st_name ? strings_at(w->names, symbol->st_name) : NULL;
	size_t length = name ? strnlen(name, w->name_budget) : 0;

	w->name_budget -= length;
	return length ? name : NULL;
}

static int visit_symbol(struct walk *w, const Elf64_Sym *symbol, uint64_t index)
{
	unsigned type = ELF64_ST_TYPE(symbol->st_info);
	struct elf_symbol s = {
		.name = take_name(w, symbol),
		.is_default_version = true,
		.is_local = ELF64_ST_BIND(symbol->st_info) == STB_LOCAL,
		.address = symbol->st_value,
		.size = symbol->st_size,
	};

	if (!s.name || type == STT_SECTION || type == STT_FILE || is_mapping_symbol(w->f, s.name))
		return 0;
	s.kind = kind_of(w, symbol, &s);
	if (w->versions)
		look_up_version(w, index, &s);
	else if (w->is_versioned)
		split_version(w, &s);
	return w->wish->visit(&s, w->wish->data);
}

static bool is_wanted(const struct walk *w, const Elf64_Sym *symbol)
{
	return !w->wish->is_wanted || w->wish->is_wanted(symbol->st_value, w->wish->data);
}

static int visit_chunk(struct walk *w, Elf64_Sym *chunk, uint64_t first, size_t n, struct error *e)
{
	int r = elf_file_read(
		w->own, w->section->sh_offset + first * sizeof(*chunk), chunk, n * sizeof(*chunk));

	if (r)
		return error_set_errno(e, r, "reading its symbols");
	for (size_t i = 0; i < n; i++) {
		if (!is_wanted(w, &chunk[i]))
			continue;
		if (i + PREFETCHED < n)
			__builtin_prefetch(strings_at(w->names, chunk[i + PREFETCHED].st_name));
		r = visit_symbol(w, &chunk[i], first + i);
		if (r)
			return r;
		if (!w->name_budget)
			return error_set(e, -ENOEXEC, "broken: its symbols' names overlap");
	}
	return 0;
}

static int visit_all(struct walk *w, struct error *e)
{
	_cleanup_(freep) Elf64_Sym *chunk = memory_alloc(SYMBOLS_A_CHUNK * sizeof(*chunk));
	uint64_t n = w->section->sh_size / sizeof(*chunk);

	for (uint64_t first = 0; first < n; first += SYMBOLS_A_CHUNK) {
		uint64_t left = n - first;
		int r = visit_chunk(
			w, chunk, first, left < SYMBOLS_A_CHUNK ? left : SYMBOLS_A_CHUNK, e);

		if (r)
			return r;
	}
	return 0;
}

static int check_table(const struct elf_file *f, const Elf64_Shdr *s, struct error *e)
{
	if (s->sh_entsize != sizeof(Elf64_Sym))
		return error_set(e, -ENOEXEC, "broken: its symbol table makes no sense");
	if (s->sh_size > largest_table_bytes)
		return error_set(e, -ENOEXEC, "its symbol table is too large");
	if (s->sh_offset > f->size_bytes || s->sh_size > f->size_bytes - s->sh_offset)
		return error_set(e, -ENOEXEC, "truncated: it ends before its symbols do");
	return 0;
}

/* The names of a table, as they are kept from the walk before, or read. */
static int take_names(const struct strings **out, struct elf_file *own, const Elf64_Shdr *section,
	struct error *e)
{
	struct kept_names *kept = &own->kept_names[section->sh_type == SHT_DYNSYM];
	int r = 0;

	if (!kept->section || kept->section != section->sh_link)
		r = strings_load(&kept->strings, own, section->sh_link, e);
	kept->section = r ? 0 : section->sh_link;
	*out = &kept->strings;
	return r;
}

void elf_file_forget_names(struct elf_file *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(f->kept_names); i++) {
		strings_deinit(&f->kept_names[i].strings);
		f->kept_names[i] = (struct kept_names){};
	}
	elf_file_forget_names(f->debug);
	elf_file_forget_names(f->debugdata);
}

int symbol_table_walk(const struct elf_file *f, struct elf_file *own, const Elf64_Shdr *section,
	const struct symbol_wish *wish, struct error *e)
{
	_cleanup_(walk_deinit) struct walk w = {
		.f = f, .own = own, .section = section, .wish = wish};
	int r = check_table(own, section, e);

	if (!r)
		r = take_names(&w.names, own, section, e);
	if (!r && section->sh_type == SHT_DYNSYM)
		r = versions_load(&w.versions, own, e);
	if (r)
		return r;
	w.is_versioned = section_find(own, SHT_GNU_versym) != NULL;
	w.name_budget = section->sh_size + 16 * (uint64_t)w.names->size + 1;
	return visit_all(&w, e);
}
