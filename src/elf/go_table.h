/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside the room: how Go's tables (pclntab) are laid out, and what is kept of them.
 *
 * A header with a magic number is followed by the names, NUL-terminated; tables of files; tables
 * that give a value for each instruction (pctab); and the functions: first a sorted list of where
 * they begin (functab), each with the offset of its record, then the records. The header says where
 * each part is, as offsets from itself. Where the code begins, to which all addresses are relative,
 * stands in another structure, moduledata.
 *
 * A table of values is a list of pairs: by how much the value changes (zigzag), and for how many
 * bytes of code it holds, both as LEB128. It begins with -1 at the function's entry, and ends with
 * a change of 0.
 */
#pragma once

#include "elf/go.h"

/* Where things are, by the release of Go. */
struct go_layout {
	uint32_t magic;
	uint8_t names;        /* in the header: the word that says where the names are */
	uint8_t address_size; /* in the list and the records; 4: from where the code begins */
	uint8_t id;           /* in the record, with the flags behind it */
	uint8_t record_size;
	uint8_t inlined[2]; /* in moduledata: words that may say where inlined calls are; or 0 */
	uint8_t call_size, callee, call_at; /* of an inlined call */
};

struct go_header {
	const struct go_layout *layout;
	uint64_t address;
	uint64_t n_functions;
	uint64_t names, files, values, functions; /* offsets from address, ascending */
	uint8_t quantum;                          /* distances in code are multiples of it */
};

/* go_header.c: reads and checks the header at an address; -EINVAL for what is none, -ENOTSUP for
 * one from before Go 1.16. */
int go_header_read(struct go_header *out, const struct elf_file *f, uint64_t address);

enum { GO_MOST_HEADERS = 32 };

struct go_headers {
	struct go_header items[GO_MOST_HEADERS];
	size_t n;
	bool has_old; /* there are such from before Go 1.16 */
};

/* Adds the headers that sections say to be there. */
void go_headers_by_section(struct go_headers *h, const struct elf_file *f);
/* Adds whatever looks like a header. 0, or an error where not all could be read. */
int go_headers_by_search(struct go_headers *h, const struct elf_file *f);

/* go_module.c: what moduledata says. */
struct go_module {
	uint64_t address;
	uint64_t text;       /* what addresses are relative to; 0 where they aren't */
	uint64_t first, end; /* of the functions' code */
	uint64_t size;       /* of the tables, from their header to the end of the records */
	uint64_t inlined[2]; /* what the layout's words say */
};

/* The moduledata of one of the headers. -ENOENT: there is none that agrees with it. */
int go_module_find(struct go_module *out, size_t *which, const struct elf_file *f,
	const struct go_headers *headers);

struct go_table {
	const struct elf_file *file;
	struct go_header header;
	struct go_module module;
	uint8_t *bytes;   /* module.size, and a NUL */
	uint8_t wrapper;  /* the id of functions that the compiler made */
	uint64_t inlined; /* to which trees of inlined calls are relative; 0: not known */
	char *version;
};

/* Reads the tables; NULL where they contradict themselves. */
struct go_table *go_table_load(
	const struct elf_file *f, const struct go_header *header, const struct go_module *module);
void go_table_free(struct go_table *t);
DEFINE_CLEANUP(go_table_free, struct go_table *)

/* The function of that number, below header.n_functions. */
void go_table_get(const struct go_table *t, size_t i, struct go_function *out);

/* A table of values on its way: value holds from one address until another. */
struct go_values {
	const uint8_t *at, *end;
	uint64_t from, until, limit;
	int32_t value;
	uint8_t quantum;
	bool has_begun, is_broken;
};

/* offset: of the table, as a record gives it; 0: there is none. Of a function between address and
 * limit. */
struct go_values go_values_begin(
	const struct go_table *t, uint32_t offset, uint64_t address, uint64_t limit);
/* The next value; false at the end, and where is_broken. */
bool go_values_next(struct go_values *v);

/* How far the stack pointer has moved. */
struct go_values go_stack_depths(const struct go_table *t, const struct go_function *function);

/* The 32 bits at an offset of a record. */
uint32_t go_record_word(const struct go_table *t, uint64_t record, uint64_t offset);

/* go_symbol.c: a source of symbols; see source.c. */
struct symbol_wish;
int go_each_symbol(struct elf_file *f, const struct symbol_wish *wish, struct error *e);

/* go_code.c: whether the code moves its stack pointer where and as far as the tables say. */
bool go_table_fits_code(const struct go_table *t);

/* go_inline.c: where trees of inlined calls are, as t->inlined has it. */
uint64_t go_inline_find(const struct go_table *t);

/* go_build.c: the release that built the file; NULL where it doesn't say. The caller's. */
char *go_build_version(const struct elf_file *f);
