/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside the room: what the dynamic linker writes into a file that can be loaded anywhere. A
 * pointer in such a file is often not there itself, but in a table that says where it belongs.
 */
#pragma once

#include "elf/layout.h"

/* Calls visit for each pointer (R_*_RELATIVE): where it is, and to what it points if the file is
 * loaded where it says. Stops at the first non-zero result and returns it; an error where the table
 * can't be read. */
typedef int relocation_visit(uint64_t place, uint64_t value, void *data);
int relocation_each(const struct elf_file *f, relocation_visit *visit, void *data);

/* Reads n words at an address as they are when the file is loaded where it says: pointers among
 * them may not be in the file itself. */
int relocation_read(const struct elf_file *f, uint64_t address, uint64_t *words, size_t n);
