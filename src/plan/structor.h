/* SPDX-License-Identifier: Apache-2.0 */
/* Constructors and destructors, which C++ compilers write several bodies of. */
#pragma once

#include "plan/forms.h"
#include "plan/symbols.h"

/* Leaves those of the symbols at which each call is met once: a destructor that also frees the
 * memory goes where one that it calls is there, and so do bodies that call a common one. */
void structors_choose(struct symbols *s, const struct elf_file *elf, struct forms *f);

/* Of how many functions the symbols are: bodies of one constructor are one. Takes time by
 * the square of their number. */
size_t structors_count(const struct symbols *s, struct forms *f, struct arena *a);
