/* SPDX-License-Identifier: Apache-2.0 */
/* A mangled C++ name as libiberty's tree, before it is printed. */
#pragma once

/* It brings a macro of a name that is ours as well. */
#pragma push_macro("ARRAY_SIZE")
#undef ARRAY_SIZE
#include <libiberty/demangle.h>
#undef ARRAY_SIZE
#pragma pop_macro("ARRAY_SIZE")

#include "elf/demangle.h"

struct demangle_tree {
	struct demangle_component *root;
	void *components; /* all of the tree's lie in this array */
	size_t n_components;
};

/* False where mangled, of n bytes, is no C++ name. */
bool demangle_tree_init(struct demangle_tree *t, const char *mangled, size_t n);
void demangle_tree_deinit(struct demangle_tree *t);

/* To be called before each print: the printer leaves marks, which it would stumble
 * over. */
void demangle_tree_reset(struct demangle_tree *t);

/* Whether it can be printed in bounded time and memory. */
bool demangle_tree_is_printable(const struct demangle_tree *t);

enum structor demangle_tree_structor(const struct demangle_tree *t);

/* Whether it is a function whose return type is printed in front of its name. */
bool demangle_tree_has_return_type(const struct demangle_tree *t);
