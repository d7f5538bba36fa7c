/* SPDX-License-Identifier: Apache-2.0 */
/* pattern_matches() for a million names: what can't match is told by a literal part first. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "config/config.h"
#include "plan/pairs.h"

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
