// SPDX-License-Identifier: Apache-2.0
/*
 * The table is found as the dynamic linker finds it: by the segment PT_DYNAMIC, so that it is there
 * without section headers, too. It is read in chunks and never kept: large programs have a million
 * entries, of which a caller looks for a few. Of the packed form (RELR) nothing has to be read: it
 * leaves the pointers where they belong.
 */
#include "elf/relocation.h"

#include <errno.h>

#include "base/memory.h"

enum { ENTRIES_A_CHUNK = 4096, MOST_DYNAMIC_ENTRIES = 4096 };
static const uint64_t largest_table_bytes = 1 << 30;

static const Elf64_Phdr *dynamic_segment(const struct elf_file *f)
{
	for (size_t i = 0; i < f->n_segments; i++)
		if (f->segments[i].p_type == PT_DYNAMIC)
			return &f->segments[i];
	return NULL;
}

/* Where the table is; *size 0 where there is none. */
static int find_table(const struct elf_file *f, uint64_t *address, uint64_t *size)
{
	const Elf64_Phdr *s = dynamic_segment(f);
	size_t n = s ? s->p_filesz / sizeof(Elf64_Dyn) : 0;
	Elf64_Dyn entry;
	int r;

	*size = 0;
	for (size_t i = 0; i < n && i < MOST_DYNAMIC_ENTRIES; i++) {
		r = elf_file_read_address(f, s->p_vaddr + i * sizeof(entry), &entry, sizeof(entry));
		if (r || entry.d_tag == DT_NULL)
			return r;
		if (entry.d_tag == DT_RELA)
			*address = entry.d_un.d_ptr;
		if (entry.d_tag == DT_RELASZ)
			*size = entry.d_un.d_val;
	}
	return 0;
}

static bool is_pointer(const struct elf_file *f, const Elf64_Rela *r)
{
	return ELF64_R_TYPE(r->r_info) ==
	       (f->header.e_machine == EM_AARCH64 ? R_AARCH64_RELATIVE : R_X86_64_RELATIVE);
}

int relocation_each(const struct elf_file *f, relocation_visit *visit, void *data)
{
	_cleanup_(freep) Elf64_Rela *chunk = memory_alloc(ENTRIES_A_CHUNK * sizeof(*chunk));
	uint64_t address = 0, size, n;
	int r = find_table(f, &address, &size);

	if (!r && size > largest_table_bytes)
		r = -EFBIG;
	for (; !r && size >= sizeof(*chunk); size -= n * sizeof(*chunk)) {
		n = size / sizeof(*chunk) < ENTRIES_A_CHUNK ? size / sizeof(*chunk)
							    : ENTRIES_A_CHUNK;
		r = elf_file_read_address(f, address, chunk, n * sizeof(*chunk));
		for (size_t i = 0; i < n && !r; i++)
			if (is_pointer(f, &chunk[i]))
				r = visit(chunk[i].r_offset, (uint64_t)chunk[i].r_addend, data);
		address += n * sizeof(*chunk);
	}
	return r;
}

struct reading {
	uint64_t address, *words;
	size_t n;
};

static int put_pointer(uint64_t place, uint64_t value, void *data)
{
	const struct reading *r = data;
	uint64_t distance = place - r->address;

	if (place >= r->address && distance / 8 < r->n && !(distance % 8))
		r->words[distance / 8] = value;
	return 0;
}

int relocation_read(const struct elf_file *f, uint64_t address, uint64_t *words, size_t n)
{
	struct reading reading = {address, words, n};
	int r = elf_file_read_address(f, address, words, n * sizeof(*words));

	return r ? r : relocation_each(f, put_pointer, &reading);
}
