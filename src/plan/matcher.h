/* SPDX-License-Identifier: Apache-2.0 */
/* pattern_matches() for a million names: what can't match is told by a literal part first. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "config/config.h"

/* Which pairs of neighbouring characters are in a text, hashed: one with pairs that a name lacks
 * is not in the name. */
struct pairs {
	uint64_t bits[4];
};

/* A name that many patterns are tried on. */
struct subject {
	const char *name;
	size_t n;
	struct pairs pairs;
};

void subject_init(struct subject *s, const char *name);

/* Texts that every name which matches begins with, ends with, and holds; each may be empty. */
struct matcher {
	const struct pattern *pattern;
	const char *head, *tail, *inner;
	size_t n_head, n_tail, n_inner;
	struct pairs pairs; /* of all three */
	/* That the mangled name of every name that matches holds; may be empty. */
	const char *word;
	struct pairs word_pairs;
};

/* For globs and regular expressions. */
void matcher_init(struct matcher *m, const struct pattern *p, struct arena *a);
bool matcher_matches(const struct matcher *m, const struct subject *s);

/* Whether it could match a readable form of a mangled name. */
bool matcher_may_match_readable(const struct matcher *m, const struct subject *mangled);
