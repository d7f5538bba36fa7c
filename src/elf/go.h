/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a Go program says of its own functions. Go's runtime walks stacks with tables that every Go
 * program carries, stripped or not: which functions there are, where they begin and end, how far
 * the stack pointer has moved at each instruction, and what was inlined where (go_table.h tells
 * how they are laid out).
 *
 * The tables are believed only when all of them agree with each other and with the code.
 */
#pragma once

#include "elf/file.h"

struct go_table;

/* Belongs to f; the first call reads all of it. NULL with *why NULL: f is no Go program. NULL with
 * a static text in *why: it is one, but its tables can't be read, or not be trusted. */
const struct go_table *elf_file_go(struct elf_file *f, const char **why);

/* "go1.23.4", as the program was built by; NULL where it doesn't say. Valid as long as the table.
 */
const char *go_table_version(const struct go_table *t);

/* Whether its functions keep the goroutine in a register, and is_assembly below is known: since Go
 * 1.18 on all machines. */
bool go_table_keeps_goroutine(const struct go_table *t);

struct go_function {
	/* "main.(*Server).Handle"; of a generic one "main.Map[...]". Valid as long as the table. */
	const char *name;
	uint64_t address;
	uint64_t size;     /* without the padding behind it */
	uint64_t record;   /* where the table has what else it knows of it */
	bool is_assembly;  /* written in assembler */
	bool is_wrapper;   /* made by the compiler to call another one */
	bool is_top;       /* where a stack begins (TOPFRAME): it has no caller */
	bool writes_stack; /* sets its stack pointer to whatever it likes (SPWRITE) */
};

/* The function that begins at address. 0, or -ENOENT. */
int go_table_find(const struct go_table *t, uint64_t address, struct go_function *out);

/* Calls visit for every function, by address. Stops at the first non-zero result and returns it. */
typedef int go_function_visit(const struct go_function *function, void *data);
int go_table_each(const struct go_table *t, go_function_visit *visit, void *data);

/* How many bytes below its place at the function's entry the stack pointer is when the instruction
 * at pc is about to be executed. Negative: not known. */
int64_t go_table_stack_depth(
	const struct go_table *t, const struct go_function *function, uint64_t pc);

/* Calls visit for every call in whose place the compiler has put the called function's own code,
 * with the name of that function and the one whose code the call has become part of: the outermost
 * where inlined functions have inlined others. Calls that were optimized away are none. Stops at
 * the first non-zero result and returns it; -ENODATA where that can't be told. */
typedef int go_inlined_visit(const char *callee, const struct go_function *caller, void *data);
int go_table_each_inlined(const struct go_table *t, go_inlined_visit *visit, void *data);
