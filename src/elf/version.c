// SPDX-License-Identifier: Apache-2.0
/*
 * Symbol versions, as GNU tools write them. Three sections play together: .gnu.version has a
 * 16-bit index for each symbol of .dynsym, with the top bit set where the version is not the
 * default one; .gnu.version_d says which name an index has for versions defined here, and
 * .gnu.version_r for those of other files. The latter two are lists whose entries say where the
 * next one is. They are walked forwards only, so that a list which bites its tail ends.
 */
#include "elf/layout.h"

#include <errno.h>
#include <string.h>

#include "base/memory.h"

enum {
	IS_HIDDEN = 0x8000,
	N_INDICES = 0x8000,
	FIRST_NAMED = 2, /* 0 is local, 1 global without a version */
	LARGEST_LIST_BYTES = 16 << 20,
};

struct versions {
	uint16_t *indices; /* by symbol */
	size_t n_symbols;
	uint32_t names[N_INDICES];
};

void versions_free(struct versions *v)
{
	if (!v)
		return;
	free(v->indices);
	free(v);
}

uint32_t versions_get(const struct versions *v, uint64_t symbol_index, bool *is_hidden)
{
	uint16_t index = symbol_index < v->n_symbols ? v->indices[symbol_index] : 0;

	*is_hidden = index & IS_HIDDEN;
	return v->names[index & (N_INDICES - 1)];
}

/* The contents of a list section, read but not yet believed. */
struct list {
	char *bytes;
	size_t size;
};

static void list_deinit(struct list *l)
{
	free(l->bytes);
}

/* Copies the entry at offset; false where the list ends before. */
static bool list_get(const struct list *l, uint64_t offset, void *entry, size_t size)
{
	if (offset > l->size || size > l->size - offset)
		return false;
	memcpy(entry, l->bytes + offset, size);
	return true;
}

static void name_index(struct versions *v, uint16_t index, uint32_t name)
{
	index &= N_INDICES - 1;
	if (index >= FIRST_NAMED)
		v->names[index] = name;
}

static void read_definitions(struct versions *v, const struct list *l)
{
	Elf64_Verdef definition;
	Elf64_Verdaux name;

	for (uint64_t at = 0; list_get(l, at, &definition, sizeof(definition));
		at += definition.vd_next) {
		if (list_get(l, at + definition.vd_aux, &name, sizeof(name)))
			name_index(v, definition.vd_ndx, name.vda_name);
		if (!definition.vd_next)
			return;
	}
}

/* Calls for each version that one file is to provide. budget bounds all calls together. */
static void read_needs_of_file(
	struct versions *v, const struct list *l, uint64_t at, size_t *budget)
{
	Elf64_Vernaux need;

	while (*budget && list_get(l, at, &need, sizeof(need))) {
		--*budget;
		name_index(v, need.vna_other, need.vna_name);
		if (!need.vna_next)
			return;
		at += need.vna_next;
	}
}

static void read_needs(struct versions *v, const struct list *l)
{
	size_t budget = l->size / sizeof(Elf64_Vernaux);
	Elf64_Verneed file;

	for (uint64_t at = 0; list_get(l, at, &file, sizeof(file)); at += file.vn_next) {
		read_needs_of_file(v, l, at + file.vn_aux, &budget);
		if (!file.vn_next)
			return;
	}
}

static int list_load(struct list *out, const struct elf_file *f, uint32_t type, struct error *e)
{
	const Elf64_Shdr *s = section_find(f, type);
	void *table;
	int r;

	if (!s)
		return 0;
	if (s->sh_size > LARGEST_LIST_BYTES)
		return error_set(e, -ENOEXEC, "broken: too many symbol versions");
	r = file_read_table(f, &table, s->sh_offset, s->sh_size, 1, "its symbol versions", e);
	if (r)
		return r;
	out->bytes = table;
	out->size = s->sh_size;
	return 0;
}

static int load_indices(struct versions *v, const struct elf_file *f, struct error *e)
{
	const Elf64_Shdr *s = section_find(f, SHT_GNU_versym);
	const Elf64_Shdr *symbols = section_find(f, SHT_DYNSYM);
	size_t n;
	void *table;
	int r;

	if (!s || !symbols)
		return 0;
	n = s->sh_size / sizeof(*v->indices);
	if (n > symbols->sh_size / sizeof(Elf64_Sym))
		n = symbols->sh_size / sizeof(Elf64_Sym);
	r = file_read_table(
		f, &table, s->sh_offset, n, sizeof(*v->indices), "its symbol versions", e);
	if (r)
		return r;
	v->indices = table;
	v->n_symbols = n;
	return 0;
}

int versions_load(struct versions **out, const struct elf_file *f, struct error *e)
{
	_cleanup_(versions_freep) struct versions *v = memory_alloc(sizeof(*v));
	_cleanup_(list_deinit) struct list definitions = {}, needs = {};
	int r = load_indices(v, f, e);

	if (!r)
		r = list_load(&definitions, f, SHT_GNU_verdef, e);
	if (!r)
		r = list_load(&needs, f, SHT_GNU_verneed, e);
	if (r)
		return r;
	read_definitions(v, &definitions);
	read_needs(v, &needs);
	*out = TAKE_PTR(v);
	return 0;
}
