/* SPDX-License-Identifier: Apache-2.0 */
/* The libraries that a file is linked with. */
#pragma once

#include "elf/file.h"
#include "target/world.h"

/* path is that in the view of the target; it and library are gone when the visit returns. Of one
 * that can't be found or read, library is NULL and path its name. */
typedef void library_visit(struct elf_file *library, const char *path, void *data);

/* Visits each library once, in the loader's order: breadth first. Those past some
 * bounds are left out. */
void libraries_visit(
	const struct target *t, const struct elf_file *elf, library_visit *visit, void *data);
