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
#include "base/utf8.h"

enum { NODES_MAX = 200000 };

#define QUOTE_STAR " (text that starts with * needs quotes)"
#define QUOTE_ANGLE " (text that starts with > or | needs quotes)"

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

/* What libyaml doesn't say of the mistakes that are made most. */
static const struct hint {
	const char *said;       /* part of the problem or of what was being read */
	const char *characters; /* one of which stands there; NULL: any */
	const char *text;
	bool is_at_start; /* of what was being read */
} hints[] = {
	{"", "\t", " (a tab can't indent: use spaces)", false},
	{"cannot start any token", ">|", QUOTE_ANGLE, false},
	{"block scalar", NULL, QUOTE_ANGLE, true},
	{"expected ',' or", "[{", " (text with [ ] { } needs quotes here)", false},
	{"alias", NULL, QUOTE_STAR, true},
};

/* The character that stands where mark says. */
static char character_at(const yaml_parser_t *p, yaml_mark_t mark)
{
	const char *c = (const char *)p->input.string.start;
	const char *end = (const char *)p->input.string.end;

	for (size_t line = 0; line < mark.line && c < end; c++)
		line += *c == '\n';
	for (size_t column = 0; column < mark.column && c < end; column++)
		c += utf8_sequence_size(c);
	return c < end ? *c : '\0';
}

static const struct hint *find_hint(const yaml_parser_t *p)
{
	char c = character_at(p, p->problem_mark);

	for (size_t i = 0; i < ARRAY_SIZE(hints); i++) {
		const struct hint *h = &hints[i];
		bool is_said = (p->problem && strstr(p->problem, h->said)) ||
			       (p->context && strstr(p->context, h->said));

		if (is_said && (!h->characters || (c && strchr(h->characters, c))))
			return h;
	}
	return NULL;
}

/* What libyaml has to say, where it noticed, and where what it was reading began. */
static int report_syntax(struct builder *b)
{
	const yaml_parser_t *p = &b->parser;
	const struct hint *hint = find_hint(p);
	struct place start = builder_place(p->context_mark);
	struct place place = hint && hint->is_at_start ? start : builder_place(p->problem_mark);
	_cleanup_(freep) char *context = NULL;

	if (p->context && start.line != place.line)
		context = memory_printf(" %s that starts in line %u", p->context, start.line);
	located_add(b->errors, place, "not YAML: %s%s%s", p->problem ? p->problem : "unreadable",
		context ? context : "", hint ? hint->text : "");
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
	return 0;
}
