// SPDX-License-Identifier: Apache-2.0
/*
 * libyaml gives events; a tree keeps their places for messages. Reading is recursive, which is
 * safe because the depth is bounded.
 *
 * What makes the rest of the text unreadable ends the parse with -EINVAL. What spoils one value
 * only (a tag, an unset variable) leaves a broken node, and the other errors of the file come out
 * too.
 */
#include "config/document.h"

#include <errno.h>
#include <string.h>

#include "base/memory.h"
#include "config/builder.h"
#include "config/seen.h"

enum { DEPTH_MAX = 32 };

/* Children while they are being read. */
struct children {
	struct node **items;
	size_t n, capacity;
};

static int read_node(struct builder *b, const yaml_event_t *event, struct node **out);

static void children_deinit(struct children *c)
{
	free(c->items);
}

static void add_child(struct children *c, struct node *child)
{
	if (c->n == c->capacity) {
		c->capacity = c->capacity ? c->capacity * 2 : 8;
		c->items = memory_grow(c->items, c->capacity, sizeof(c->items[0]));
	}
	c->items[c->n++] = child;
}

/* Reads the next child up to end, the event that closes the collection. 1: there was one. */
static int read_child(struct builder *b, struct children *c, yaml_event_type_t end, bool is_key)
{
	_cleanup_(yaml_event_delete) yaml_event_t event = {};
	struct node *child = NULL;
	int r = builder_next(b, &event);

	if (r || event.type == end)
		return r;
	r = is_key ? leaf_read_key(b, &event, &child) : read_node(b, &event, &child);
	if (r)
		return r;
	add_child(c, child);
	return 1;
}

/* An empty value has no place of its own; its key's will do. */
static void set_pairs(struct builder *b, struct node *node, const struct children *c)
{
	node->n = c->n / 2;
	node->keys = arena_array(b->arena, node->n, sizeof(node->keys[0]));
	node->items = arena_array(b->arena, node->n, sizeof(node->items[0]));
	for (size_t i = 0; i < node->n; i++) {
		node->keys[i] = c->items[2 * i];
		node->items[i] = c->items[2 * i + 1];
		if (node->items[i]->kind == NODE_NULL && !*node->items[i]->text)
			node->items[i]->place = node->keys[i]->place;
	}
}

static void refuse_repeated_keys(struct builder *b, const struct node *mapping)
{
	_cleanup_(seen_deinit) struct seen seen = {};

	for (size_t i = 0; i < mapping->n; i++) {
		const struct node *key = mapping->keys[i];
		const struct node *first = seen_enter(&seen, key->text, key);

		if (first && key->kind != NODE_BROKEN)
			located_add(b->errors, key->place, "repeated key %s; it is also in line %u",
				located_quote(b->errors, key->text), first->place.line);
	}
}

/* Who knows them from YAML 1.1 would take the mapping for whole: what it lacks is no news then. */
static void refuse_merge_keys(struct builder *b, struct node *mapping)
{
	for (size_t i = 0; i < mapping->n; i++) {
		if (strcmp(mapping->keys[i]->text, "<<") != 0)
			continue;
		builder_break(b, mapping->keys[i],
			"merge keys (<<) are not supported: write the keys out (an alias can stand "
			"for a whole value)");
		mapping->kind = NODE_BROKEN;
	}
}

static int read_children(struct builder *b, struct node *node, struct children *c)
{
	bool is_mapping = node->kind == NODE_MAPPING;
	yaml_event_type_t end = is_mapping ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT;
	int r;

	if (b->depth == DEPTH_MAX) {
		located_add(b->errors, node->place, "nested more than %d levels deep", DEPTH_MAX);
		return -EINVAL;
	}
	b->depth++;
	do
		r = read_child(b, c, end, is_mapping && c->n % 2 == 0);
	while (r > 0);
	b->depth--;
	for (size_t i = 0; i < c->n; i++)
		node->n_nodes += c->items[i]->n_nodes;
	return r;
}

static int read_list(struct builder *b, const yaml_event_t *event, struct node **out)
{
	_cleanup_(children_deinit) struct children c = {};
	struct node *node;

	if (builder_add(b, NODE_LIST, event->start_mark, out) || read_children(b, *out, &c))
		return -EINVAL;
	node = *out;
	node->n = c.n;
	node->items = arena_array(b->arena, c.n, sizeof(c.items[0]));
	for (size_t i = 0; i < c.n; i++)
		node->items[i] = c.items[i];
	builder_refuse_tag(b, node, event->data.sequence_start.tag);
	return builder_define(b, event->data.sequence_start.anchor, node);
}

static int read_mapping(struct builder *b, const yaml_event_t *event, struct node **out)
{
	_cleanup_(children_deinit) struct children c = {};

	if (builder_add(b, NODE_MAPPING, event->start_mark, out) || read_children(b, *out, &c))
		return -EINVAL;
	set_pairs(b, *out, &c);
	refuse_merge_keys(b, *out);
	refuse_repeated_keys(b, *out);
	builder_refuse_tag(b, *out, event->data.mapping_start.tag);
	return builder_define(b, event->data.mapping_start.anchor, *out);
}

static int read_node(struct builder *b, const yaml_event_t *event, struct node **out)
{
	switch (event->type) {
	case YAML_ALIAS_EVENT:
		return builder_alias(b, event, out);
	case YAML_SCALAR_EVENT:
		return leaf_read_value(b, event, out);
	case YAML_SEQUENCE_START_EVENT:
		return read_list(b, event, out);
	default:
		return read_mapping(b, event, out);
	}
}

/* Reads the event that must come next; otherwise says what is wrong with any other. */
static int expect(struct builder *b, yaml_event_type_t type, const char *otherwise)
{
	_cleanup_(yaml_event_delete) yaml_event_t event = {};

	if (builder_next(b, &event))
		return -EINVAL;
	if (event.type == type)
		return 0;
	located_add(b->errors, builder_place(event.start_mark), "%s", otherwise);
	return -EINVAL;
}

static int read_root(struct builder *b, struct node **out)
{
	_cleanup_(yaml_event_delete) yaml_event_t event = {};
	int r = builder_next(b, &event);

	return r ? r : read_node(b, &event, out);
}

int document_parse(
	struct node **out, const struct source *s, struct arena *arena, struct located *errors)
{
	_cleanup_(builder_deinit) struct builder b;
	struct node *root;

	builder_init(&b, s, arena, errors);
	if (expect(&b, YAML_STREAM_START_EVENT, "not YAML") ||
		expect(&b, YAML_DOCUMENT_START_EVENT, "the file is empty") ||
		read_root(&b, &root) || expect(&b, YAML_DOCUMENT_END_EVENT, "not YAML") ||
		expect(&b, YAML_STREAM_END_EVENT, "a second document: a file may have one"))
		return -EINVAL;
	*out = root;
	return 0;
}

struct place node_place(const struct node *node, size_t offset)
{
	if (!node->first_column)
		return node->place;
	return (struct place){
		node->place.line,
		node->first_column + (unsigned)source_columns(node->text, offset),
	};
}

static const struct node *find_key(const struct node *node, const char *key, size_t *at)
{
	for (*at = 0; node->keys && *at < node->n; ++*at)
		if (!strcmp(node->keys[*at]->text, key))
			return node->keys[*at];
	return NULL;
}

const struct node *node_get(const struct node *node, const char *key)
{
	size_t at;

	return find_key(node, key, &at) ? node->items[at] : NULL;
}

const struct node *node_key(const struct node *node, const char *key)
{
	size_t at;

	return find_key(node, key, &at);
}
