/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ELF files by hand, for tests: a valid one to begin with, and everything in it open to be
 * spoilt. The code is at 0x401000, which is at 0x1000 in the file; its page of zeros is followed
 * by the sections' contents, and those by the section headers.
 */
#pragma once

#include <elf.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "elf/file.h"

enum {
	IMAGE_CODE = 0x401000,
	IMAGE_CODE_OFFSET = 0x1000,
	IMAGE_CODE_SIZE = 0x1000,
	IMAGE_TEXT = 1, /* indices of the sections that every image has */
	IMAGE_DATA = 2,
	IMAGE_MOST_SECTIONS = 16,
};

#if defined(__aarch64__)
enum { IMAGE_MACHINE = EM_AARCH64, IMAGE_OTHER_MACHINE = EM_X86_64 };
#else
enum { IMAGE_MACHINE = EM_X86_64, IMAGE_OTHER_MACHINE = EM_AARCH64 };
#endif

struct image {
	Elf64_Ehdr header;
	Elf64_Phdr segments[4]; /* data, code, and what a test adds */
	Elf64_Shdr sections[IMAGE_MOST_SECTIONS];
	struct buffer names;    /* of sections */
	struct buffer contents; /* of sections, from the end of the code on */
};

static inline uint32_t image_text(struct buffer *b, const char *text)
{
	size_t at = b->size;

	buffer_append(b, text, strlen(text) + 1);
	return (uint32_t)at;
}

/* Adds a section; its header may be changed until image_write(). */
static inline Elf64_Shdr *image_section(
	struct image *i, const char *name, uint32_t type, const void *contents, size_t size)
{
	Elf64_Shdr *s = &i->sections[i->header.e_shnum++];

	s->sh_name = image_text(&i->names, name);
	s->sh_type = type;
	s->sh_offset = IMAGE_CODE_OFFSET + IMAGE_CODE_SIZE + i->contents.size;
	s->sh_size = size;
	buffer_append(&i->contents, contents, size);
	return s;
}

static inline unsigned image_index(const struct image *i, const Elf64_Shdr *s)
{
	return (unsigned)(s - i->sections);
}

static inline struct image image_new(void)
{
	struct image i = {
		.header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				   EV_CURRENT},
			.e_type = ET_DYN,
			.e_machine = IMAGE_MACHINE,
			.e_version = EV_CURRENT,
			.e_phoff = sizeof(Elf64_Ehdr),
			.e_phentsize = sizeof(Elf64_Phdr),
			.e_phnum = 2,
			.e_shentsize = sizeof(Elf64_Shdr)},
		.segments = {{.p_type = PT_LOAD,
				     .p_flags = PF_R,
				     .p_vaddr = 0x400000,
				     .p_filesz = IMAGE_CODE_OFFSET,
				     .p_memsz = IMAGE_CODE_OFFSET},
			{.p_type = PT_LOAD,
				.p_flags = PF_R | PF_X,
				.p_offset = IMAGE_CODE_OFFSET,
				.p_vaddr = IMAGE_CODE,
				.p_filesz = IMAGE_CODE_SIZE,
				.p_memsz = 2 * IMAGE_CODE_SIZE}},
	};

	image_section(&i, "", SHT_NULL, NULL, 0);
	image_section(&i, ".text", SHT_PROGBITS, NULL, 0)->sh_flags = SHF_ALLOC | SHF_EXECINSTR;
	image_section(&i, ".data", SHT_PROGBITS, NULL, 0)->sh_flags = SHF_ALLOC | SHF_WRITE;
	return i;
}

/* Symbols and their names; becomes a table of an image. */
struct image_symbols {
	struct buffer entries, names;
};

static inline void image_symbol(struct image_symbols *t, const char *name, unsigned info,
	uint16_t section, uint64_t address, uint64_t size)
{
	Elf64_Sym symbol = {.st_info = (unsigned char)info,
		.st_shndx = section,
		.st_value = address,
		.st_size = size};

	if (!t->names.size)
		image_text(&t->names, "");
	symbol.st_name = name ? image_text(&t->names, name) : 0;
	buffer_append(&t->entries, &symbol, sizeof(symbol));
}

static inline void image_function(
	struct image_symbols *t, const char *name, uint64_t address, uint64_t size)
{
	image_symbol(t, name, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), IMAGE_TEXT, address, size);
}

/* Adds t's sections and empties it. Returns the table's; its names' is the next one. */
static inline Elf64_Shdr *image_table(struct image *i, uint32_t type, struct image_symbols *t)
{
	Elf64_Shdr *s = image_section(i, type == SHT_DYNSYM ? ".dynsym" : ".symtab", type,
		t->entries.data, t->entries.size);

	image_section(i, type == SHT_DYNSYM ? ".dynstr" : ".strtab", SHT_STRTAB, t->names.data,
		t->names.size);
	s->sh_link = image_index(i, s) + 1;
	s->sh_entsize = sizeof(Elf64_Sym);
	buffer_deinit(&t->entries);
	buffer_deinit(&t->names);
	*t = (struct image_symbols){};
	return s;
}

static inline void image_pwrite(int fd, const void *bytes, size_t n, uint64_t offset)
{
	if (pwrite(fd, bytes, n, (off_t)offset) != (ssize_t)n)
		abort();
}

/* Puts the names of the sections in, as the last one, and the headers where they belong. */
static inline void image_finish(struct image *i)
{
	Elf64_Shdr *names = image_section(i, ".shstrtab", SHT_STRTAB, NULL, 0);

	names->sh_size = i->names.size;
	buffer_append(&i->contents, i->names.data, i->names.size);
	while (i->contents.size % 8)
		buffer_putc(&i->contents, 0);
	i->header.e_shstrndx = (uint16_t)image_index(i, names);
	i->header.e_shoff = IMAGE_CODE_OFFSET + IMAGE_CODE_SIZE + i->contents.size;
}

/* The file as it is now. The caller closes it. */
static inline int image_write(const struct image *i)
{
	int fd = memfd_create("image", MFD_CLOEXEC);

	if (fd < 0)
		abort();
	image_pwrite(fd, &i->header, sizeof(i->header), 0);
	image_pwrite(fd, i->segments, sizeof(i->segments), sizeof(i->header));
	image_pwrite(fd, i->contents.data, i->contents.size, IMAGE_CODE_OFFSET + IMAGE_CODE_SIZE);
	image_pwrite(fd, i->sections, i->header.e_shnum * sizeof(*i->sections), i->header.e_shoff);
	return fd;
}

static inline void image_deinit(struct image *i)
{
	buffer_deinit(&i->names);
	buffer_deinit(&i->contents);
}
