/* SPDX-License-Identifier: Apache-2.0 */
/* The libraries that a file is linked with, and what they define. */
#pragma once

#include "elf/file.h"
#include "target/world.h"

/* s is a symbol that the library at path (in t's view) exports; both are gone when the visit
 * returns. */
typedef void library_visit(const struct elf_symbol *s, const char *path, void *data);

/* Visits what they export, each library once, in the loader's order: breadth first. Those that
 * can't be found or read, and those past some bounds, are left out. */
void libraries_visit(
	const struct target *t, const struct elf_file *elf, library_visit *visit, void *data);
