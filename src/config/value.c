// SPDX-License-Identifier: Apache-2.0
/*
 * A value has a family of its own, with its whole name, because what it counts (bytes, items) has
 * nothing to do with the probe's calls and seconds. What its bounds may be depends on the type of
 * its operand, so they are read last.
 */
#include "config/value.h"

#include <string.h>

#include "config/condition.h"
#include "config/numbers.h"
#include "config/prefix.h"
#include "config/scalar.h"

static void read_form(struct reader *r, const char *key, const struct node *value, void *out)
{
	static const char *const names[] = {
		[VALUE_HISTOGRAM] = "histogram", [VALUE_COUNTER] = "counter"};
	int choice = scalar_choice(r, key, value, names, ARRAY_SIZE(names));

	if (choice >= 0)
		*(enum value_form *)out = (enum value_form)choice;
}

/* Bounds wait for the type. */
static void read_later(struct reader *r __attribute__((unused)),
	const char *key __attribute__((unused)), const struct node *value __attribute__((unused)),
	void *out __attribute__((unused)))
{
}

static const struct field rows[] = {
	{"metric", NODE_TEXT | FIELD_REQUIRED, prefix_read, offsetof(struct value, metric)},
	{"help", NODE_TEXT, scalar_read_text, offsetof(struct value, help)},
	{"from", NODE_TEXT | FIELD_REQUIRED, operand_read, offsetof(struct value, from)},
	{"only", NODE_TEXT, condition_read, offsetof(struct value, only)},
	{"as", NODE_TEXT | FIELD_REQUIRED, read_form, offsetof(struct value, form)},
	{"buckets", NODE_LIST | NODE_MAPPING, read_later},
};

static const struct fields fields = {"a value", rows, ARRAY_SIZE(rows)};

static bool ends_in(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && !strcmp(text + n - m, end);
}

static void check_metric(struct reader *r, const struct node *node, const struct value *v)
{
	bool is_total = ends_in(v->metric, "_total") && v->metric[strlen("_total")];
	const struct node *metric = node_get(node, "metric");

	if (v->form == VALUE_COUNTER && !is_total)
		located_add(r->errors, metric->place, "`metric`: a counter's name ends in _total");
	else if (v->form == VALUE_HISTOGRAM && is_total)
		located_add(
			r->errors, metric->place, "`metric`: only a counter's name ends in _total");
}

static void read_bounds(struct reader *r, const struct node *node, struct value *v)
{
	const struct node *buckets = node_get(node, "buckets");

	if (v->form == VALUE_COUNTER && buckets)
		located_add(r->errors, node_key(node, "buckets")->place,
			"`buckets` are for `as: histogram`");
	else if (v->form == VALUE_HISTOGRAM)
		numbers_read(r, "buckets", buckets, v->from.type, &v->bounds, &v->n_bounds);
}

static void read_value(struct reader *r, const struct node *node, struct value *v)
{
	size_t n_before = r->errors->n_found;

	if (!fields_accept(r, fields.owner, node, NODE_MAPPING))
		return;
	fields_read(r, &fields, node, v);
	if (r->errors->n_found != n_before || !v->metric || !v->from.text)
		return;
	if (operand_is_text(v->from.type)) {
		located_add(r->errors, node_get(node, "from")->place,
			"`from` must be a number, not %s", operand_type_name(v->from.type));
		return;
	}
	check_metric(r, node, v);
	read_bounds(r, node, v);
}

void values_read(struct reader *r, const char *key, const struct node *value, void *out)
{
	struct values values = {.n = value->n};
	size_t n_bounds = 0;

	if (value->n > CONFIG_MAX_VALUES) {
		located_add(r->errors, value->place, "`%s` has %zu; %d is the most", key, value->n,
			CONFIG_MAX_VALUES);
		return;
	}
	values.items = arena_array(r->config->arena, value->n, sizeof(*values.items));
	for (size_t i = 0; i < value->n; i++) {
		read_value(r, value->items[i], &values.items[i]);
		n_bounds += values.items[i].n_bounds;
	}
	if (n_bounds > CONFIG_MAX_VALUE_BOUNDS)
		located_add(r->errors, value->place,
			"`%s` have %zu bounds together; %d is the most", key, n_bounds,
			CONFIG_MAX_VALUE_BOUNDS);
	*(struct values *)out = values;
}
