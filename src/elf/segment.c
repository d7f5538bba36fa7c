// SPDX-License-Identifier: Apache-2.0
/*
 * Where an address lies in the file. The kernel maps segments, and a probe is an offset in the
 * file; sections are a table for linkers that nothing at run time looks at. So the way from a
 * symbol's address to an offset leads through the executable PT_LOAD segments, and nowhere else.
 */
#include "elf/layout.h"

#include <errno.h>
#include <string.h>

#include "base/memory.h"

/* As many as the kernel would load: 64 KiB of them. */
enum { MOST_SEGMENTS = 65536 / sizeof(Elf64_Phdr) };

enum { CODE_PIECE = 1 << 20, MOST_CODE = 512 << 20, WORD = sizeof(uint64_t) };
static const uint64_t most_words_bytes = 1 << 30;

static bool lies_in_file(const struct elf_file *f, const Elf64_Phdr *s)
{
	return s->p_offset <= f->size_bytes && s->p_filesz <= f->size_bytes - s->p_offset;
}

int segment_load_all(struct elf_file *f, struct error *e)
{
	const Elf64_Ehdr *h = &f->header;
	void *table;
	int r;

	if (!h->e_phnum)
		return error_set(e, -ENOEXEC, "not a program: it has no segments");
	if (h->e_phentsize != sizeof(Elf64_Phdr) || h->e_phnum > MOST_SEGMENTS)
		return error_set(e, -ENOEXEC, "broken: its program headers make no sense");
	r = file_read_table(
		f, &table, h->e_phoff, h->e_phnum, sizeof(Elf64_Phdr), "its program headers", e);
	if (r)
		return r;
	f->segments = table;
	f->n_segments = h->e_phnum;
	return 0;
}

int segment_check_all(const struct elf_file *f, struct error *e)
{
	for (size_t i = 0; i < f->n_segments; i++) {
		if (f->segments[i].p_type == PT_LOAD && !lies_in_file(f, &f->segments[i]))
			return error_set(e, -ENOEXEC, "truncated: it ends before its segments do");
	}
	return 0;
}

bool elf_file_find_code(const struct elf_file *f, uint64_t address, uint64_t size, uint64_t *offset)
{
	for (size_t i = 0; i < f->n_segments; i++) {
		const Elf64_Phdr *s = &f->segments[i];
		uint64_t distance = address - s->p_vaddr;

		if (s->p_type != PT_LOAD || !(s->p_flags & PF_X) || address < s->p_vaddr ||
			distance >= s->p_filesz || size > s->p_filesz - distance)
			continue;
		*offset = s->p_offset + distance;
		return true;
	}
	return false;
}

bool elf_file_is_writable(const struct elf_file *f, uint64_t address)
{
	for (size_t i = 0; i < f->n_segments; i++) {
		const Elf64_Phdr *s = &f->segments[i];

		if (s->p_type == PT_LOAD && s->p_flags & PF_W && address >= s->p_vaddr &&
			address - s->p_vaddr < s->p_memsz)
			return true;
	}
	return false;
}

static const Elf64_Phdr *segment_with(const struct elf_file *f, uint64_t address, uint64_t n)
{
	for (size_t i = 0; i < f->n_segments; i++) {
		const Elf64_Phdr *s = &f->segments[i];
		uint64_t distance = address - s->p_vaddr;

		if (s->p_type == PT_LOAD && address >= s->p_vaddr && distance < s->p_filesz &&
			n <= s->p_filesz - distance)
			return s;
	}
	return NULL;
}

bool segment_has(const struct elf_file *f, uint64_t address, uint64_t n)
{
	return segment_with(f, address, n);
}

int elf_file_read_address(const struct elf_file *f, uint64_t address, void *bytes, size_t n)
{
	const Elf64_Phdr *s = segment_with(f, address, n);

	return s ? elf_file_read(f, s->p_offset + (address - s->p_vaddr), bytes, n) : -EFAULT;
}

static int each_piece(const struct elf_file *f, const Elf64_Phdr *s, size_t overlap,
	elf_code_visit *visit, void *data)
{
	_cleanup_(freep) uint8_t *piece = memory_alloc(CODE_PIECE);
	uint64_t at = 0;
	size_t n;
	int r;

	do {
		n = s->p_filesz - at < CODE_PIECE ? s->p_filesz - at : CODE_PIECE;
		r = elf_file_read(f, s->p_offset + at, piece, n);
		if (!r)
			r = visit(piece, n, data);
		at += n - overlap;
	} while (!r && n == CODE_PIECE);
	return r;
}

int elf_file_each_code(const struct elf_file *f, size_t overlap, elf_code_visit *visit, void *data)
{
	uint64_t total = 0;
	int r = 0;

	for (size_t i = 0; i < f->n_segments && !r; i++) {
		const Elf64_Phdr *s = &f->segments[i];

		if (s->p_type != PT_LOAD || !(s->p_flags & PF_X))
			continue;
		if (s->p_filesz > MOST_CODE - total)
			return -EFBIG;
		total += s->p_filesz;
		r = each_piece(f, s, overlap, visit, data);
	}
	return r;
}

/* A segment on its way to a visitor of words. */
struct words {
	uint64_t address; /* of the next piece */
	segment_word_visit *visit;
	void *data;
};

static int visit_words(const uint8_t *bytes, size_t n, void *data)
{
	struct words *w = data;
	uint64_t word;
	int r = 0;

	for (size_t i = 0; i + WORD <= n && !r; i += WORD) {
		memcpy(&word, bytes + i, WORD);
		r = w->visit(w->address + i, word, w->data);
	}
	w->address += n;
	return r;
}

/* Cuts off what is in front of the first aligned address; false where that is all. */
static bool align(Elf64_Phdr *s)
{
	uint64_t cut = -s->p_vaddr % WORD;

	if (s->p_filesz < cut + WORD)
		return false;
	s->p_vaddr += cut;
	s->p_offset += cut;
	s->p_filesz -= cut;
	return true;
}

int segment_each_word(
	const struct elf_file *f, uint32_t flags, segment_word_visit *visit, void *data)
{
	uint64_t total = 0;
	int r = 0;

	for (size_t i = 0; i < f->n_segments && !r; i++) {
		Elf64_Phdr s = f->segments[i];
		struct words w = {.visit = visit, .data = data};

		if (s.p_type != PT_LOAD || (s.p_flags & flags) != flags || !align(&s))
			continue;
		if (s.p_filesz > most_words_bytes - total)
			return -EFBIG;
		total += s.p_filesz;
		w.address = s.p_vaddr;
		r = each_piece(f, &s, 0, visit_words, &w);
	}
	return r;
}
