/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside the room: an opened file, and its parts as they are read and checked.
 *
 * Offsets, counts and indices from the file are used only after they were compared with what
 * they point into. What reads a table bounds it by the file's size, and by a limit of its own
 * where a sparse file could make it big for nothing.
 */
#pragma once

#include <elf.h>

#include "elf/file.h"

enum { N_IMPORT_TABLES = 3 };

/* A string table; {} is a valid empty one. */
struct strings {
	char *bytes; /* NUL-terminated as a whole */
	size_t size;
};

/* The names of a symbol table, as they were read for the last walk. */
struct kept_names {
	uint64_t section; /* 0: none */
	struct strings strings;
};

struct elf_file {
	int fd; /* the caller's */
	uint64_t size_bytes;
	Elf64_Ehdr header;
	Elf64_Phdr *segments;
	size_t n_segments;
	Elf64_Shdr *sections; /* none, where the file has had them taken off */
	size_t n_sections;
	bool unwinds_is_known;
	const char *unwinds;
	enum elf_stack_use stack_use;
	bool is_library;
	bool imports_are_known;
	const Elf64_Shdr *imports[N_IMPORT_TABLES]; /* of sections, or NULL */
	bool starts_are_known;
	uint64_t *starts; /* of functions, ascending */
	size_t n_starts;
	struct elf_file *debug; /* owned: what was split off it, or NULL */
	char *origin; /* of such a file: what people call it; and its fd is its own. NULL otherwise
		       */
	struct elf_file *debugdata; /* owned: what was packed into it, or NULL */
	char *debugdata_trouble;    /* why it is NULL though there should be one */
	struct error missing; /* why a source has given no names although it should have some */
	struct kept_names kept_names[2]; /* of .symtab and .dynsym */
	bool frames_are_loaded;
	struct elf_frame *frames; /* by address */
	size_t n_frames;
	bool handlers_are_loaded;
	uint8_t *handlers; /* .gcc_except_table */
	uint64_t handlers_size, handlers_address;
	bool go_is_known;
	struct go_table *go;  /* or NULL */
	const char *go_doubt; /* why it is NULL though there should be one */
};

/* identity.c: reads the header. -ENOEXEC and the reason for what has no functions to probe. */
int identity_check(struct elf_file *f, struct error *e);

/* file.c: a table of count entries into new memory; -ENOEXEC where the file is too short. what
 * is for people: "its program headers". */
int file_read_table(const struct elf_file *f, void **out, uint64_t offset, uint64_t count,
	size_t entry_size, const char *what, struct error *e);

/* file.c: opens one that was made beside a program: its segments are headers without contents.
 * Takes fd over in any case. */
int file_open_beside(struct elf_file **out, int fd, const char *origin, struct error *e);

/* Who wants symbols, and which. */
struct symbol_wish {
	elf_symbol_visit *visit;
	elf_address_want *is_wanted; /* asked before visit, where that spares work; NULL: all are */
	void *data;                  /* of both */
};

/* debugdata.c: a source of symbols; see source.c. */
int debugdata_each_symbol(struct elf_file *f, const struct symbol_wish *wish, struct error *e);

/* segment.c: the headers; and that what they speak of is in the file. */
int segment_load_all(struct elf_file *f, struct error *e);
int segment_check_all(const struct elf_file *f, struct error *e);

/* Whether the file has the n bytes at an address of a loaded segment. */
bool segment_has(const struct elf_file *f, uint64_t address, uint64_t n);

/* Calls visit for every aligned word of the loaded segments that have those flags. Stops at the
 * first non-zero result and returns it; an error, or -EFBIG where there is more than 1 GiB. */
typedef int segment_word_visit(uint64_t address, uint64_t word, void *data);
int segment_each_word(
	const struct elf_file *f, uint32_t flags, segment_word_visit *visit, void *data);

/* section.c */
int section_load_all(struct elf_file *f, struct error *e);
const Elf64_Shdr *section_find(const struct elf_file *f, uint32_t type); /* the first, or NULL */
const Elf64_Shdr *section_find_named(const struct elf_file *f, const char *name); /* or NULL */
bool section_is_code(const struct elf_file *f, uint16_t index); /* true where that can't be told */

void strings_deinit(struct strings *s);
int strings_load(
	struct strings *out, const struct elf_file *f, uint64_t section_index, struct error *e);
const char *strings_at(const struct strings *s, uint64_t offset); /* NULL: outside */

/* symbol.c: the symbols of f that a table lists, which is in own: f itself, or a file that was made
 * beside it, whose sections are numbered as its own are. */
int symbol_table_walk(const struct elf_file *f, struct elf_file *own, const Elf64_Shdr *section,
	const struct symbol_wish *wish, struct error *e);

/* start.c: where functions begin, as a walk over all symbols of a file comes by them; then the file
 * keeps them, unless it has some. */
struct starts {
	uint64_t *items;
	size_t n, capacity;
	bool is_unsorted;
};
void starts_deinit(struct starts *s);
void starts_note(struct starts *s, const struct elf_symbol *one);
void starts_keep(struct starts *s, struct elf_file *f);

/* dynamic.c */
/* What the file says of itself to the dynamic linker. */
struct dynamic {
	Elf64_Dyn *entries;
	size_t n_entries;
	struct strings names;
};

void dynamic_deinit(struct dynamic *d);

/* Of a file without the table, none. */
int dynamic_load(struct dynamic *d, const struct elf_file *f, struct error *e);

/* The name in the first entry of that tag behind *position, which moves on; or NULL. */
const char *dynamic_next(const struct dynamic *d, int64_t tag, size_t *position);

/* version.c: the versions of .dynsym's symbols. */
struct versions;
int versions_load(struct versions **out, const struct elf_file *f, struct error *e);
void versions_free(struct versions *v);
DEFINE_CLEANUP(versions_free, struct versions *)
/* Where the version's name is in .dynsym's string table; 0 for a symbol without a version. */
uint32_t versions_get(const struct versions *v, uint64_t symbol_index, bool *is_hidden);
