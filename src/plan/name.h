/* SPDX-License-Identifier: Apache-2.0 */
/* Symbol names: their versions, and the suffixes that compilers put behind them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* A plain name as a person writes it: NAME, NAME@VERSION or NAME@@VERSION. */
struct wanted_name {
	const char *name;
	const char *version;  /* NULL: the default one */
	bool must_be_default; /* written with @@ */
};

struct wanted_name wanted_name_parse(const char *text, struct arena *a);

/* NAME, or NAME@VERSION where it is not the default one; the first may be the argument itself. */
const char *name_with_version(
	const char *name, const char *version, bool is_default, struct arena *a);

/* What compilers make of a function. Each is more than the one before. */
enum clone_kind {
	CLONE_NONE,
	CLONE_RENAMED, /* the function itself, under a name that is unique */
	CLONE_CHANGED, /* a copy that takes other arguments */
	CLONE_PART,    /* what is rarely needed of it, as a function of its own */
	CLONE_COLD,    /* the same, but jumped into: nobody calls it */
};

/* What the compiler's suffixes at the end of name say; *n_base is the length without them. */
enum clone_kind name_clone_kind(const char *name, size_t *n_base);

/* The length of name without suffixes that only make it unique. */
size_t name_size_without_renaming(const char *name);

/* Whether it is one of the few pieces of code, not functions of the program, that the compiler
 * adds to every file to start and end it. */
bool name_is_startup_code(const char *name);
