/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of symbols as people write them: of C++, and of Rust in both of its schemes.
 *
 *     shop::Order::place(int) const       what nm -C prints: full
 *     shop::Order::place                  bare
 *     void sort<int>(int*, int*)          full
 *     sort<int>(int*, int*)               signature
 *     <shop::Order>::place::<i32>         Rust's newer scheme: full and signature
 *     shop::Order::place                  bare: as its older one has it. Hashes are left out of all
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

/* A C++ constructor or destructor can have several bodies, which all have one readable name. */
enum structor {
	STRUCTOR_NONE, /* of all other functions */
	STRUCTOR_COMPLETE,
	STRUCTOR_BASE,     /* called where the object is part of a larger one */
	STRUCTOR_DELETING, /* calls one of the others, and frees the memory */
	STRUCTOR_UNIFIED,  /* called by both of the others */
};

/* {} is valid, and may be used for any number of names. */
struct demangled {
	struct buffer full, signature, bare;
	enum structor structor;
	bool is_rust;
	struct buffer mangled; /* scratch */
};
void demangled_deinit(struct demangled *d);

/* Whether a name looks mangled, that is whether it is worth to call demangle(). */
static inline bool is_mangled(const char *name)
{
	return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R');
}

/* Where in a mangled name the suffixes begin that compilers put behind it (.isra.0, .llvm.123). */
size_t mangled_size(const char *name);

/* Fills d for the first n bytes of a name. False: it isn't mangled, or what it would become is
 * beyond reason. */
bool demangle(struct demangled *d, const char *name, size_t n);
