/* SPDX-License-Identifier: Apache-2.0 */
/* The forms in which a symbol can be named, and the ones in which it is shown. */
#pragma once

#include "base/arena.h"
#include "elf/demangle.h"

/* How well a form fits, best first: of several symbols that a name could mean, it means those that
 * it fits best. */
enum fit {
	FIT_SYMBOL,      /* the symbol's name itself */
	FIT_FULL,        /* as nm -C shows it; also without the return type */
	FIT_UNTAGGED,    /* without [abi:cxx11] */
	FIT_UNQUALIFIED, /* without const, & and the like behind the parameters */
	FIT_BARE,        /* without parameters */
	FIT_GENERIC,     /* nor template arguments; of Go's generics main.Map[...] */
	FIT_OF_CLONE,    /* added to these: it is the function's that the symbol is a clone of */
};

/* {} is valid; memory for any number of symbols. */
struct forms {
	struct demangled demangled;
	struct buffer text, spelling;
};
void forms_deinit(struct forms *f);

/* Visits all forms of a symbol in one spelling (spelling.h), best first, one maybe twice; readable
 * ones only if is_readable. */
typedef void form_visit(const char *spelling, unsigned fit, void *data);
void forms_visit(
	struct forms *f, const char *symbol, bool is_readable, form_visit *visit, void *data);

/* Makes demangled what is shown of a symbol, with the suffixes of clones but, in bare, for those
 * that only make a name unique. False: the name isn't mangled. */
bool forms_read(struct forms *f, const char *symbol);

/* The same, in a. Where the name isn't mangled, and nothing is to be left out, all three are the
 * argument. */
struct readable {
	const char *full;      /* void sort<int>(int*), sum() [clone .isra.0] */
	const char *signature; /* sort<int>(int*), sum() [clone .isra.0] */
	const char *bare;      /* sort<int>, sum [clone .isra.0] */
	enum structor structor;
};
struct readable readable_of(struct forms *f, const char *symbol, struct arena *a);
