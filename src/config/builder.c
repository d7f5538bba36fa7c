// SPDX-License-Identifier: Apache-2.0
/*
 * An anchor's node is shared by its aliases, so a small file can stand for an enormous one
 * ("billion laughs"). Every node therefore knows how many nodes it stands for, and the sum over the
 * file is bounded. An alias gets a node of its own, so that an error in how it is used is shown
 * where it is used.
 */
#include "config/builder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { NODES_MAX = 200000 };

#define QUOTE_STAR " (text that starts with * needs quotes)"

void builder_init(
	struct builder *b, const struct source *s, struct arena *arena, struct located *errors)
{
	*b = (struct builder){.arena = arena, .errors = errors};
	if (!yaml_parser_initialize(&b->parser))
		abort();
	yaml_parser_set_encoding(&b->parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(
		&b->parser, (const unsigned char *)buffer_text(&s->yaml), s->yaml.size);
	types_init(&b->types);
}

void builder_deinit(struct builder *b)
{
	yaml_parser_delete(&b->parser);
	types_deinit(&b->types);
}

struct place builder_place(yaml_mark_t mark)
{
	return (struct place){(unsigned)mark.line + 1, (unsigned)mark.column + 1};
}

/* What libyaml has to say, where it noticed, and where what it was reading began; and what it
 * doesn't say of the two mistakes that are made most. */
static int report_syntax(struct builder *b)
{
	const yaml_parser_t *p = &b->parser;
	bool at_tab = p->error == YAML_SCANNER_ERROR && *p->buffer.pointer == '\t';
	bool at_star = p->context && strstr(p->context, "alias");
	struct place start = builder_place(p->context_mark);
	struct place place = at_star ? start : builder_place(p->problem_mark);
	_cleanup_(freep) char *context = NULL;

	if (p->context && start.line != place.line)
		context = memory_printf(" %s that starts in line %u", p->context, start.line);
	located_add(b->errors, place, "not YAML: %s%s%s%s", p->problem ? p->problem : "unreadable",
		context ? context : "", at_tab ? " (a tab can't indent: use spaces)" : "",
		at_star ? QUOTE_STAR : "");
	return -EINVAL;
}

int builder_next(struct builder *b, yaml_event_t *event)
{
	return yaml_parser_parse(&b->parser, event) ? 0 : report_syntax(b);
}

int builder_add(struct builder *b, enum node_kind kind, yaml_mark_t start, struct node **out)
{
	struct node *node = arena_alloc(b->arena, sizeof(*node));

	node->kind = kind;
	node->place = builder_place(start);
	node->n_nodes = 1;
	*out = node;
	if (++b->n_nodes <= NODES_MAX)
		return 0;
	located_add(
		b->errors, node->place, "more than %d values, with those of aliases", NODES_MAX);
	return -EINVAL;
}

void builder_break(struct builder *b, struct node *node, const char *why)
{
	located_add(b->errors, node->place, "%s", why);
	node->kind = NODE_BROKEN;
	node->text = "";
}

void builder_refuse_tag(struct builder *b, struct node *node, const yaml_char_t *tag)
{
	if (tag)
		builder_break(b, node, "a tag (!...) has no meaning here");
}

int builder_define(struct builder *b, const yaml_char_t *name, const struct node *node)
{
	if (!name)
		return 0;
	if (b->n_anchors == ANCHORS_MAX) {
		located_add(b->errors, node->place, "more than %d anchors", ANCHORS_MAX);
		return -EINVAL;
	}
	b->anchors[b->n_anchors++] = (struct anchor){
		arena_strdup(b->arena, (const char *)name),
		node,
	};
	return 0;
}

/* The newest anchor of that name, as YAML wants it. */
static const struct node *find_anchor(const struct builder *b, const char *name)
{
	for (size_t i = b->n_anchors; i; i--)
		if (!strcmp(b->anchors[i - 1].name, name))
			return b->anchors[i - 1].node;
	return NULL;
}

int builder_alias(struct builder *b, const yaml_event_t *event, struct node **out)
{
	const char *name = (const char *)event->data.alias.anchor;
	const struct node *target = find_anchor(b, name);
	struct place place = builder_place(event->start_mark);

	if (!target) {
		located_add(b->errors, place,
			"no value is anchored as %s before this alias" QUOTE_STAR,
			located_quote(b->errors, name));
		return -EINVAL;
	}
	b->n_nodes += target->n_nodes - 1;
	if (builder_add(b, target->kind, event->start_mark, out))
		return -EINVAL;
	**out = *target;
	(*out)->place = place;
	(*out)->first_column = 0;
	return 0;
}
