/* SPDX-License-Identifier: Apache-2.0 */
/* YAML text as a tree of nodes, each with its place. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "config/located.h"
#include "config/source.h"

/* A value's kind, as a bit so that a set of kinds is a number. Plain scalars are typed as
 * YAML 1.2's core schema does: `yes` and `010` are no traps here. */
enum node_kind {
	NODE_TEXT = 1,
	NODE_NUMBER = 2,
	NODE_BOOLEAN = 4,
	NODE_LIST = 8,
	NODE_MAPPING = 16,
	NODE_NULL = 32,
	NODE_BROKEN = 64, /* an error of its own was reported; to be passed over in silence */
};

enum { NODE_SCALAR = NODE_TEXT | NODE_NUMBER | NODE_BOOLEAN };

struct node {
	enum node_kind kind;
	struct place place;
	const char *text;      /* of a scalar, with variables replaced; else NULL */
	bool is_substituted;   /* has had variables: its text may stand for any kind of scalar */
	unsigned first_column; /* of text, if all of it stands so in one line; else 0 */
	struct node **keys;    /* of a mapping: scalars, no two alike */
	struct node **items;   /* of a list; of a mapping, the values in the order of keys */
	size_t n;
	size_t n_nodes; /* it and all below it, as often as aliases lead there */
};

/* The root of the one document in s; it lives in arena. -EINVAL when the text is no YAML that can
 * be read on; errors that only concern a value leave it broken. */
int document_parse(
	struct node **out, const struct source *s, struct arena *arena, struct located *errors);

/* Where the character is at which the scalar's text + offset begins: its own place, or where that
 * can't be known the scalar's. */
struct place node_place(const struct node *node, size_t offset);

/* The value of key, and the key itself; NULL where it is not there or node is no mapping. */
const struct node *node_get(const struct node *node, const char *key);
const struct node *node_key(const struct node *node, const char *key);
