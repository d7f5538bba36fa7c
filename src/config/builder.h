/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of document.c share: libyaml's parser, and the nodes made so far. */
#pragma once

#include <yaml.h>

#include "config/document.h"
#include "config/type.h"

enum { ANCHORS_MAX = 256 };

struct anchor {
	const char *name;
	const struct node *node;
};

struct builder {
	yaml_parser_t parser;
	struct types types;
	struct arena *arena;    /* of the nodes; borrowed */
	struct located *errors; /* borrowed */
	struct anchor anchors[ANCHORS_MAX];
	size_t n_anchors;
	size_t n_nodes;
	unsigned depth;
};

void builder_init(
	struct builder *b, const struct source *s, struct arena *arena, struct located *errors);
void builder_deinit(struct builder *b);

/* All that return int report what is wrong, and are -EINVAL then: the parse ends. */

/* event: to be released with yaml_event_delete(). */
int builder_next(struct builder *b, yaml_event_t *event);
int builder_add(struct builder *b, enum node_kind kind, yaml_mark_t start, struct node **out);

/* Makes node an alias's target; name may be NULL. */
int builder_define(struct builder *b, const yaml_char_t *name, const struct node *node);
int builder_alias(struct builder *b, const yaml_event_t *event, struct node **out);

/* Reports why; the parse goes on without this value. */
void builder_break(struct builder *b, struct node *node, const char *why);
void builder_refuse_tag(struct builder *b, struct node *node, const yaml_char_t *tag);

struct place builder_place(yaml_mark_t mark);

/* leaf.c */
int leaf_read_key(struct builder *b, const yaml_event_t *event, struct node **out);
int leaf_read_value(struct builder *b, const yaml_event_t *event, struct node **out);
