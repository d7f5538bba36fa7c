// SPDX-License-Identifier: Apache-2.0
/*
 * Keys and scalar values. Keys are taken as written; in values, variables are replaced, and what
 * was written plain gets its type. A value with a variable keeps the type open (is_substituted):
 * ${SHARD} may well be 7 where text is wanted, and ${MAX_SERIES} is where a number is.
 */
#include <errno.h>
#include <string.h>

#include "config/builder.h"
#include "config/substitute.h"

/* Sets node's text to what stands in the file; false (and node is broken) where it can't. */
static bool set_text(struct builder *b, struct node *node, const yaml_event_t *event)
{
	char *value = (char *)event->data.scalar.value;
	size_t n = source_restore(value, event->data.scalar.length);

	node->text = "";
	if (memchr(value, '\0', n))
		builder_break(b, node, "a value can't hold a NUL character");
	else if (n > SUBSTITUTE_MAX)
		builder_break(b, node, "a value may have 4096 bytes at most");
	else
		node->text = arena_strndup(b->arena, value, n);
	builder_refuse_tag(b, node, event->data.scalar.tag);
	return node->kind != NODE_BROKEN;
}

/* A scalar of one line that is as long in the file as it reads, but for its quotes, stands there
 * character for character: escapes, $$ and an anchor are longer. */
static void locate_text(struct node *node, const yaml_event_t *event)
{
	yaml_mark_t start = event->start_mark, end = event->end_mark;
	size_t n_quotes = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
	size_t n = source_columns(node->text, strlen(node->text));

	if (start.line == end.line && end.column - start.column == n + 2 * n_quotes &&
		!node->is_substituted)
		node->first_column = node->place.column + (unsigned)n_quotes;
}

static void substitute_text(struct builder *b, struct node *node)
{
	_cleanup_(buffer_deinit) struct buffer text = {};
	_cleanup_(error_deinit) struct error e = {};

	if (substitute(node->text, &text, &node->is_substituted, &e))
		builder_break(b, node, error_text(&e));
	else
		node->text = arena_strdup(b->arena, buffer_text(&text));
}

int leaf_read_key(struct builder *b, const yaml_event_t *event, struct node **out)
{
	if (event->type != YAML_SCALAR_EVENT) {
		located_add(
			b->errors, builder_place(event->start_mark), "a key must be a plain word");
		return -EINVAL;
	}
	if (builder_add(b, NODE_TEXT, event->start_mark, out))
		return -EINVAL;
	if (set_text(b, *out, event))
		locate_text(*out, event);
	return builder_define(b, event->data.scalar.anchor, *out);
}

int leaf_read_value(struct builder *b, const yaml_event_t *event, struct node **out)
{
	bool is_plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	struct node *node;

	if (builder_add(b, NODE_TEXT, event->start_mark, out))
		return -EINVAL;
	node = *out;
	if (set_text(b, node, event)) {
		substitute_text(b, node);
		locate_text(node, event);
		if (is_plain && node->kind == NODE_TEXT && !node->is_substituted)
			node->kind = types_find(&b->types, node->text);
	}
	return builder_define(b, event->data.scalar.anchor, node);
}
