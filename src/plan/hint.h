/* SPDX-License-Identifier: Apache-2.0 */
/* What helps a person whose plain name leads to no function that can be counted. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "plan/listing.h"
#include "plan/word.h"

enum { HINTS_NEAR = 3 };

struct hints {
	const char *wanted; /* the name, without parameters */
	bool is_mangled;
	struct word word;             /* of it */
	const char *near[HINTS_NEAR]; /* likest first */
	size_t scores[HINTS_NEAR], n_near;
	const char *library;            /* that defines it, of those the file is linked with */
	struct listing clones;          /* foo.part.0 of foo */
	struct listing implementations; /* __memcpy_avx_unaligned of memcpy */
};

/* {} of a pattern that is no name. */
void hints_init(struct hints *h, const char *wanted, struct arena *a);

void hints_add_clone(struct hints *h, const char *name, struct arena *a);

/* Both look at the name of a function of the file. */
void hints_consider_implementation(struct hints *h, const char *name, struct arena *a);
/* Whether the readable form of a mangled name may be near. */
bool hints_are_akin(const struct hints *h, const char *mangled);
void hints_consider_near(struct hints *h, const char *name, struct arena *a);
