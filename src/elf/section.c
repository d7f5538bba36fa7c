// SPDX-License-Identifier: Apache-2.0
/*
 * Sections and string tables: where a symbol table is, and the names that it uses.
 *
 * A file without sections is still a program: it has no symbol table then, and that is all.
 */
#include "elf/layout.h"

#include <errno.h>
#include <string.h>

/* Names of a linked program: the largest known have a few hundred megabytes of them. */
static const uint64_t largest_strings_bytes = 512 << 20;

int section_load_all(struct elf_file *f, struct error *e)
{
	const Elf64_Ehdr *h = &f->header;
	void *table;
	int r;

	if (!h->e_shoff || !h->e_shnum)
		return 0;
	if (h->e_shentsize != sizeof(Elf64_Shdr))
		return error_set(e, -ENOEXEC, "broken: its section headers make no sense");
	r = file_read_table(
		f, &table, h->e_shoff, h->e_shnum, sizeof(Elf64_Shdr), "its section headers", e);
	if (r)
		return r;
	f->sections = table;
	f->n_sections = h->e_shnum;
	return 0;
}

const Elf64_Shdr *section_find(const struct elf_file *f, uint32_t type)
{
	for (size_t i = 0; i < f->n_sections; i++) {
		if (f->sections[i].sh_type == type)
			return &f->sections[i];
	}
	return NULL;
}

bool section_is_code(const struct elf_file *f, uint16_t index)
{
	return index >= f->n_sections || f->sections[index].sh_flags & SHF_EXECINSTR;
}

void strings_deinit(struct strings *s)
{
	free(s->bytes);
}

int strings_load(
	struct strings *out, const struct elf_file *f, uint64_t section_index, struct error *e)
{
	const Elf64_Shdr *s;
	void *table;
	int r;

	if (section_index >= f->n_sections || f->sections[section_index].sh_type != SHT_STRTAB)
		return error_set(e, -ENOEXEC, "broken: its names are not in a string table");
	s = &f->sections[section_index];
	if (s->sh_size > largest_strings_bytes)
		return error_set(e, -ENOEXEC, "its string table is too large");
	r = file_read_table(f, &table, s->sh_offset, s->sh_size, 1, "its names", e);
	if (r)
		return r;
	strings_deinit(out);
	*out = (struct strings){.bytes = table, .size = s->sh_size};
	return 0;
}

const char *strings_at(const struct strings *s, uint64_t offset)
{
	return offset < s->size ? s->bytes + offset : NULL;
}

const Elf64_Shdr *section_find_named(const struct elf_file *f, const char *name)
{
	_cleanup_(error_deinit) struct error ignored = {};
	_cleanup_(strings_deinit) struct strings names = {};

	if (strings_load(&names, f, f->header.e_shstrndx, &ignored))
		return NULL;
	for (size_t i = 0; i < f->n_sections; i++) {
		const char *found = strings_at(&names, f->sections[i].sh_name);

		if (found && !strcmp(found, name))
			return &f->sections[i];
	}
	return NULL;
}

/* An entry is 16 bytes, or 8 where the section says so. */
static bool is_in_table(const Elf64_Shdr *s, uint64_t address)
{
	uint64_t size = s->sh_entsize == 8 ? 8 : 16;

	return address >= s->sh_addr && address - s->sh_addr < s->sh_size &&
	       (address - s->sh_addr) % size == 0;
}

bool elf_file_is_import(struct elf_file *f, uint64_t address)
{
	static const char *const names[N_IMPORT_TABLES] = {".plt", ".plt.sec", ".plt.got"};

	for (size_t i = 0; i < N_IMPORT_TABLES && !f->imports_are_known; i++)
		f->imports[i] = section_find_named(f, names[i]);
	f->imports_are_known = true;
	for (size_t i = 0; i < N_IMPORT_TABLES; i++)
		if (f->imports[i] && is_in_table(f->imports[i], address))
			return true;
	return false;
}

bool elf_file_has_sections(const struct elf_file *f)
{
	return f->n_sections;
}
