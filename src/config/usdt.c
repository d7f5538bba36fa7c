// SPDX-License-Identifier: Apache-2.0
/*
 * A point alone is a place that is passed: it has a number of passes and no duration. Where calls
 * begin and end at points, both are named, because which belong together no file tells.
 */
#include "config/usdt.h"

#include <string.h>

#include "config/pattern.h"
#include "config/scalar.h"

static bool is_full_name(const char *text)
{
	const char *colon = strchr(text, ':');

	return colon && colon != text && colon[1];
}

static const struct node *item_of(const struct node *value, size_t i)
{
	return value->kind == NODE_LIST ? value->items[i] : value;
}

static void read_points(struct reader *r, const char *key, const struct node *value, void *out)
{
	struct patterns *p = out;

	patterns_read(r, key, value, p);
	for (size_t i = 0; i < p->n; i++) {
		const char *text = p->items[i].text;

		if (text && p->items[i].kind == PATTERN_NAME && !is_full_name(text))
			located_add(r->errors, item_of(value, i)->place,
				"`%s`: %s is no PROVIDER:NAME", key,
				located_quote(r->errors, text));
	}
}

static void read_names(struct reader *r, const char *key, const struct node *value, void *out)
{
	struct patterns *p = out;

	read_points(r, key, value, p);
	for (size_t i = 0; i < p->n; i++)
		if (p->items[i].text && p->items[i].kind != PATTERN_NAME)
			located_add(r->errors, item_of(value, i)->place,
				"`%s` must be a name: of patterns it can't be told which start "
				"belongs to which end",
				key);
}

static const struct field pair_rows[] = {
	{"start", NODE_TEXT | NODE_LIST | FIELD_REQUIRED, read_names,
		offsetof(struct usdt, starts)},
	{"end", NODE_TEXT | NODE_LIST | FIELD_REQUIRED, read_names, offsetof(struct usdt, ends)},
	{"nested", NODE_BOOLEAN, scalar_read_boolean, offsetof(struct usdt, is_nested)},
};

static const struct fields pair = {"`usdt`", pair_rows, ARRAY_SIZE(pair_rows)};

static bool has(const struct patterns *p, const char *text)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->items[i].text && !strcmp(p->items[i].text, text))
			return true;
	return false;
}

static void read_pair(struct reader *r, const struct node *value, struct usdt *u)
{
	const struct node *end = node_get(value, "end");

	fields_read(r, &pair, value, u);
	for (size_t i = 0; i < u->ends.n; i++)
		if (u->ends.items[i].text && has(&u->starts, u->ends.items[i].text))
			located_add(r->errors, item_of(end, i)->place, "`end`: %s is the start",
				located_quote(r->errors, u->ends.items[i].text));
}

void usdt_read(struct reader *r, const char *key, const struct node *value, void *out)
{
	struct usdt *u = out;

	if (value->kind == NODE_MAPPING)
		read_pair(r, value, u);
	else
		read_points(r, key, value, &u->points);
}

/* Keys that say something of functions alone, or of one of the two ways to name points. */
static const struct {
	const char *key;
	bool suits_points;
	const char *why;
} others[] = {
	{"match", false, "is for functions: all places of a point are counted together"},
	{"exit", false,
		"is for functions: where a call ends that points make, `usdt: {start, end}` says"},
	{"exclude", true, "is for patterns, and `usdt: {start, end}` has names"},
};

static void check_others(struct reader *r, const struct node *node, bool is_pair)
{
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		const struct node *key = node_key(node, others[i].key);

		if (key && !(others[i].suits_points && !is_pair))
			located_add(r->errors, key->place, "`%s` %s", others[i].key, others[i].why);
	}
}

static void check_measures(
	struct reader *r, const struct node *node, const struct probe *p, bool is_pair)
{
	const struct node *key = node_key(node, "measure");
	bool times = p->measures & (MEASURE_DURATION | MEASURE_IN_FLIGHT);

	if (!key || !p->measures || times == is_pair)
		return;
	located_add(r->errors, key->place,
		is_pair ? "`measure: [calls]` needs no end: name the start alone"
			: "a USDT point is passed and has no duration: "
			  "`usdt: {start: ..., end: ...}` times from one to another");
}

bool usdt_is_passed(const struct node *probe)
{
	const struct node *value = node_get(probe, "usdt");

	return value && value->kind != NODE_MAPPING;
}

void usdt_check(struct reader *r, const struct node *node, const struct probe *p)
{
	const struct node *function = node_key(node, "function"), *usdt = node_key(node, "usdt");

	if (!function && !usdt)
		located_add(r->errors, node->keys[0]->place, "a probe needs `function` or `usdt`");
	else if (function && usdt)
		located_add(r->errors, usdt->place, "a probe has `function` or `usdt`, not both");
	else if (usdt) {
		check_others(r, node, !usdt_is_passed(node));
		check_measures(r, node, p, !usdt_is_passed(node));
	}
}
