/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An ELF file as a source of functions: who it is, what it defines, where that lies in the file.
 *
 * The file is untrusted (it may come from a container) and may change while it is read: nothing
 * is mapped, every table is bounded by the file's size, and any nonsense is an error with a text.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct elf_file;

enum elf_machine { ELF_MACHINE_X86_64, ELF_MACHINE_ARM64, ELF_MACHINE_OTHER };

/* Opens through fd, which the caller keeps open for as long as the elf_file lives.
 * -ENOEXEC with the reason for what is no 64-bit little-endian ELF executable or library of a
 * machine that can be probed here: "a script (#!/bin/sh)", "a 32-bit file", "truncated", ... */
int elf_file_open(struct elf_file **out, int fd, struct error *e);
void elf_file_free(struct elf_file *f);
DEFINE_CLEANUP(elf_file_free, struct elf_file *)

enum elf_machine elf_file_machine(const struct elf_file *f);

enum elf_symbol_kind {
	ELF_FUNCTION,
	ELF_IFUNC,     /* the symbol is the resolver, not the function */
	ELF_UNDEFINED, /* defined in another file */
	ELF_DATA,      /* an object, TLS, ... */
	ELF_ZERO_SIZE, /* code without an extent: its instructions can't be checked */
	ELF_OUTSIDE,   /* not within an executable segment's bytes in the file */
};

/* Where names are written, in the order in which they are asked; see elf/source.c. */
enum elf_source { ELF_SYMTAB, ELF_DYNSYM, ELF_DEBUG_FILE, ELF_DEBUGDATA, ELF_GO, N_ELF_SOURCES };

struct elf_symbol {
	const char *name;    /* without the version; gone, as is version, when the visit returns */
	const char *version; /* "GLIBC_2.2.5", or NULL */
	bool is_default_version; /* name@@version; true where there is no version */
	bool is_local;
	enum elf_symbol_kind kind;
	uint64_t address; /* st_value */
	uint64_t size;
	uint64_t offset; /* in the file, by way of the segment; 0 where there is none */
	enum elf_source source;
};

/* Calls visit for every named symbol of each source in turn; the same symbol may come from several.
 * Stops at the first non-zero result and returns it. -ENODATA with a text where there are no
 * symbols at all. What stands in for a symbol table that was stripped off, and can't be read, is no
 * error: elf_file_missing_names() says why then. */
typedef int elf_symbol_visit(const struct elf_symbol *s, void *data);
int elf_file_each_symbol(struct elf_file *f, elf_symbol_visit *visit, void *data, struct error *e);

/* The same of those alone whose address is wanted. The names of the others are not looked at, which
 * takes a fraction of the time. */
typedef bool elf_address_want(uint64_t address, const void *data);
int elf_file_each_symbol_at(struct elf_file *f, elf_address_want *is_wanted,
	elf_symbol_visit *visit, void *data, struct error *e);

/* Lets go of the names that walks have read, all of a program's: the next reads them anew. */
void elf_file_forget_names(struct elf_file *f);

/* Why the walk had fewer names than it could have; or NULL. Valid until the next walk. */
const char *elf_file_missing_names(const struct elf_file *f);

/* What people call a source of f's: ".symtab", "/usr/lib/debug/...". Valid as long as f. */
const char *elf_file_source_name(const struct elf_file *f, enum elf_source source);

/* The same for the symbols that other files can be linked with: those of .dynsym alone. */
int elf_file_each_export(struct elf_file *f, elf_symbol_visit *visit, void *data, struct error *e);

/* The libraries that it is linked with, in the loader's order: names, or paths. */
typedef void elf_text_visit(const char *text, void *data);
void elf_file_each_needed(const struct elf_file *f, elf_text_visit *visit, void *data);

/* Where the file says that these are to be looked for first: directories between colons, which may
 * hold $ORIGIN. It holds for the libraries' libraries too where is_inherited. The caller's; NULL
 * where the file doesn't say. */
char *elf_file_library_path(const struct elf_file *f, bool *is_inherited);

/* Reads n bytes at a file offset; -EIO when the file ends before. */
int elf_file_read(const struct elf_file *f, uint64_t offset, void *bytes, size_t n);

/* Why a return address of this file's functions must not be replaced (HAZARDS: harm, 1), or NULL:
 * the file is Go's, unwinds or catches (C++, Rust), or switches stacks. A static text. */
const char *elf_file_unwinds(struct elf_file *f);

/* What the verdict above says of stacks; meaningless where it is NULL. */
enum elf_stack_use {
	ELF_STACK_OPEN = -1,   /* code that is loaded later may do anything, and mostly doesn't */
	ELF_STACK_UNWOUND = 0, /* exceptions pass: what calls nothing is not concerned */
	ELF_STACK_LEFT,        /* signal handlers run on another one: anything can be interrupted */
	ELF_STACK_SWITCHED,    /* there are many, and any thread may go on with any of them */
	ELF_STACK_MOVED,       /* or copied: stack pointers don't even tell calls apart */
};
enum elf_stack_use elf_file_stack_use(struct elf_file *f);

/* The same of a library that another file is linked with: why it could unwind through its caller's
 * functions, or switch stacks below them. That it lets others' exceptions pass is no reason. */
const char *elf_file_disturbs(struct elf_file *f, enum elf_stack_use *use);

/* Why the return address of the function of that name must not be replaced, whatever file it is
 * in (setjmp, vfork, dlsym, _start, ...), or NULL. A static text. */
const char *elf_symbol_unwinds(const char *name);

/* A function by which a program copies its own code to other memory. */
struct elf_mover {
	const char *symbol;
	const char *text;              /* why it is not to be probed */
	const char *option, *variable; /* asks for it, there or in the command line; NULL: always */
};

/* The mover of that name, or NULL. */
const struct elf_mover *elf_symbol_moves(const char *name);

/* Why the file is one that copies its own code when it starts, by other evidence; or NULL. A
 * static text. */
const char *elf_file_moves(const struct elf_file *f);

/* Whether it is a shared library: any program may map it, and do to stacks what it doesn't. */
bool elf_file_is_library(struct elf_file *f);

/* What the tables for unwinding say of a piece of code. */
struct elf_frame {
	uint64_t address, size;
	uint64_t handlers; /* address of the table of what handles exceptions inside; 0: nothing */
	bool is_part;      /* no function of its own: entered with a stack that has moved */
};

/* What handlers is where there is a table that can't be read. */
#define ELF_HANDLERS_UNKNOWN UINT64_MAX

/* Whether the tables can be found at all: not without section headers. */
bool elf_file_has_sections(const struct elf_file *f);

/* The frame that address lies in; NULL where none is known. Valid as long as f. The first call
 * reads the whole table. */
const struct elf_frame *elf_file_frame(struct elf_file *f, uint64_t address);

/* Addresses at which an unwinder lets a function go on. */
struct landing_pads {
	uint64_t *addresses; /* owned; some may be in it twice */
	size_t n;
};
void landing_pads_deinit(struct landing_pads *pads);

/* Appends a frame's. -EINVAL where not all of them can be told. */
int elf_file_landing_pads(
	struct elf_file *f, const struct elf_frame *frame, struct landing_pads *pads);

/* The first address above `address` at which a symbol says that a function begins; UINT64_MAX:
 * there is none. */
uint64_t elf_file_next_function(struct elf_file *f, uint64_t address);

/* Whether a symbol says that a function, and not just a part of one, begins at address. */
bool elf_file_has_function(struct elf_file *f, uint64_t address);

/* Whether address begins an entry of the file's table of imported functions (PLT). */
bool elf_file_is_import(struct elf_file *f, uint64_t address);

/* Where in the file the size bytes of code at an address lie; false where they are none of one
 * executable segment. */
bool elf_file_find_code(
	const struct elf_file *f, uint64_t address, uint64_t size, uint64_t *offset);

/* Calls visit for all code of the file, piece by piece; each begins with the last overlap bytes of
 * the one before. Stops at the first non-zero result and returns it; an error, or -EFBIG where
 * there is more than 512 MiB. */
typedef int elf_code_visit(const uint8_t *bytes, size_t n, void *data);
int elf_file_each_code(const struct elf_file *f, size_t overlap, elf_code_visit *visit, void *data);

/* Whether the code at an address is mapped writable: in a segment that says so. */
bool elf_file_is_writable(const struct elf_file *f, uint64_t address);

/* Reads n bytes at an address of a loaded segment. 0; -EFAULT outside, -EIO past the file's end. */
int elf_file_read_address(const struct elf_file *f, uint64_t address, void *bytes, size_t n);
