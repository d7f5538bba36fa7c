// SPDX-License-Identifier: Apache-2.0
/*
 * Given names come first, so that a name made up never takes one that stands further down the
 * file. A made-up name is "file:function" as written, with #2, #3 and so on where that is taken.
 */
#include "config/names.h"

#include <string.h>

#include "config/seen.h"

static void enter_given(
	struct reader *r, struct seen *seen, const struct node *node, const struct probe *p)
{
	const struct node *first = p->name ? seen_enter(seen, p->name, node) : NULL;

	if (first)
		located_add(r->errors, node_get(node, "name")->place,
			"the name %s is taken by the probe in line %u",
			located_quote(r->errors, p->name), first->place.line);
}

/* As written in the file: a regular expression with its slashes. Of USDT points that make calls, it
 * is the start. */
static const char *first_function(const struct node *node)
{
	const struct node *value = node_get(node, "function");

	if (!value)
		value = node_get(node, "usdt");
	if (value->kind == NODE_MAPPING)
		value = node_get(value, "start");
	return value->kind == NODE_LIST ? value->items[0]->text : value->text;
}

/* Whether something was read there. */
static bool has_first_function(const struct probe *p)
{
	const struct patterns *all[] = {&p->functions, &p->usdt.points, &p->usdt.starts};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (all[i]->n && all[i]->items[0].text)
			return true;
	return false;
}

static void make_name(struct reader *r, struct seen *seen, const struct node *node, struct probe *p)
{
	struct arena *arena = r->config->arena;
	const char *base =
		arena_printf(arena, "%s:%s", strrchr(p->binary, '/') + 1, first_function(node));

	p->name = base;
	while (seen_enter(seen, p->name, node))
		p->name = arena_printf(arena, "%s#%u", base, seen_again(seen, base));
}

static void settle_names(struct reader *r, const struct node *probes)
{
	_cleanup_(seen_deinit) struct seen seen = {};
	const struct config *c = r->config;

	for (size_t i = 0; i < c->n_probes; i++)
		enter_given(r, &seen, probes->items[i], &c->probes[i]);
	for (size_t i = 0; i < c->n_probes; i++) {
		struct probe *p = &c->probes[i];

		if (!p->name && p->binary && has_first_function(p))
			make_name(r, &seen, probes->items[i], p);
	}
}

static void enter_help(
	struct reader *r, struct seen *seen, const struct node *node, const struct probe *p)
{
	const struct node *help = node_get(node, "help");
	const struct node *first = p->metric && p->help ? seen_enter(seen, p->metric, node) : NULL;

	if (first && strcmp(node_get(first, "help")->text, p->help) != 0)
		located_add(r->errors, help->place,
			"%s has another help in the probe in line %u; a metric has one",
			located_quote(r->errors, p->metric), first->place.line);
}

static void settle_helps(struct reader *r, const struct node *probes)
{
	_cleanup_(seen_deinit) struct seen seen = {};
	const struct config *c = r->config;

	for (size_t i = 0; i < c->n_probes; i++)
		enter_help(r, &seen, probes->items[i], &c->probes[i]);
	for (size_t i = 0; i < c->n_probes; i++) {
		struct probe *p = &c->probes[i];
		const struct node *first = p->metric ? seen_find(&seen, p->metric) : NULL;

		if (first && !p->help)
			p->help = arena_strdup(c->arena, node_get(first, "help")->text);
	}
}

void names_settle(struct reader *r, const struct node *probes)
{
	settle_names(r, probes);
	settle_helps(r, probes);
}
