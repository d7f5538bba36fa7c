/* SPDX-License-Identifier: Apache-2.0 */
/* The errors of one file, each with its place, collected so that all are shown at once. */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "base/buffer.h"

enum { LOCATED_MAX = 20 };

/* Both count from 1; columns count characters, as editors do. */
struct place {
	unsigned line, column;
};

/* Negative, 0, positive: a is before, at, behind b. */
int place_compare(struct place a, struct place b);

struct located_error {
	struct place place;
	const char *text;
};

struct located {
	struct arena *arena;                      /* texts; borrowed */
	struct located_error errors[LOCATED_MAX]; /* the first of the file, in its order */
	size_t n;
	size_t n_found; /* with those past LOCATED_MAX */
};

/* The same text at the same place counts once: an alias leads to a value many times. */
void located_add(struct located *l, struct place place, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* `text`, fit for a message: without control characters, cut when long. Lives in l's arena. */
const char *located_quote(const struct located *l, const char *text);

/* Appends every error with its line and a caret, as config.h shows them. text is the file's, of
 * which the places speak, closed by a NUL. */
void located_render(
	const struct located *l, const char *name, const char *text, struct buffer *out);
