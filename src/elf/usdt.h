/* SPDX-License-Identifier: Apache-2.0 */
/*
 * USDT points: places that a program's author has marked (sys/sdt.h, DTRACE_PROBE), each a nop in
 * the code and a note in the file that names it.
 */
#pragma once

#include "elf/file.h"

/* One place. A point that is compiled into several places has a note for each. */
struct elf_point {
	const char *name;      /* PROVIDER:NAME; gone, as is arguments, when the visit returns */
	const char *arguments; /* where they are, in the assembler's words: "8@%rdi -4@16(%rbp)" */
	uint64_t address;      /* of the nop */
	/* The address of 16 bits that say how many look at the point: the program skips it while
	 * they are 0. 0: there are none, and the program never skips it. */
	uint64_t semaphore;
};

/* Calls visit for every note of a point, in the file's order. Stops at the first non-zero result
 * and returns it. A file without notes has no points; -ENOEXEC with a text where they make no
 * sense, after the visits of those before. */
typedef int elf_point_visit(const struct elf_point *p, void *data);
int elf_file_each_point(
	const struct elf_file *f, elf_point_visit *visit, void *data, struct error *e);

/* Where in the file a semaphore lies. NULL, or why it can't be one (a static text): it must be in a
 * segment that is mapped writable, aligned, and 0 before anybody looks. */
const char *elf_file_find_semaphore(const struct elf_file *f, uint64_t address, uint64_t *offset);
