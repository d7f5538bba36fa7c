// SPDX-License-Identifier: Apache-2.0
/*
 * A series is computed on whole numbers (a linear one) or rounded to them (an exponential one);
 * where two of its bounds meet, or one leaves the type's range, it is refused.
 */
#include "config/numbers.h"

#include <math.h>

#include "config/scalar.h"

enum { DEFAULT_BOUNDS = 16 };

/* Bounds under way. */
struct numbers {
	struct reader *reader;
	const char *key;
	enum operand_type type;
	uint64_t *items;
	size_t n;
};

struct series {
	const struct node *start, *width;
	double factor;
	uint64_t count;
};

/* A number of the bounds' type. */
static bool read_number(
	const struct numbers *n, const char *key, const struct node *node, uint64_t *out)
{
	struct scan s = scan_of(n->reader, key, node);

	return operand_scan_number(&s, n->type, out) && scan_end(&s);
}

static void read_list(struct numbers *out, const struct node *value)
{
	uint64_t number;

	for (size_t i = 0; i < value->n; i++) {
		const struct node *item = value->items[i];

		if (!fields_accept_item(out->reader, out->key, item, NODE_NUMBER) ||
			!read_number(out, out->key, item, &number))
			return;
		if (out->n && number <= out->items[out->n - 1])
			located_add(out->reader->errors, item->place,
				"`%s` must ascend: %s isn't above the one before", out->key,
				located_quote(out->reader->errors, item->text));
		out->items[out->n++] = number;
	}
}

static void read_node(struct reader *r __attribute__((unused)),
	const char *key __attribute__((unused)), const struct node *value, void *out)
{
	*(const struct node **)out = value;
}

static void read_count(struct reader *r, const char *key, const struct node *value, void *out)
{
	scalar_whole(r, key, value, 1, CONFIG_MAX_BOUNDS, out);
}

static void read_factor(struct reader *r, const char *key, const struct node *value, void *out)
{
	if (!scalar_factor(value->text, out))
		located_add(r->errors, value->place, "`%s` must be a decimal above 1, such as 1.5",
			key);
}

static const struct field exponential_rows[] = {
	{"start", NODE_NUMBER | FIELD_REQUIRED, read_node, offsetof(struct series, start)},
	{"factor", NODE_NUMBER | FIELD_REQUIRED, read_factor, offsetof(struct series, factor)},
	{"count", NODE_NUMBER | FIELD_REQUIRED, read_count, offsetof(struct series, count)},
};

static const struct field linear_rows[] = {
	{"start", NODE_NUMBER | FIELD_REQUIRED, read_node, offsetof(struct series, start)},
	{"width", NODE_NUMBER | FIELD_REQUIRED, read_node, offsetof(struct series, width)},
	{"count", NODE_NUMBER | FIELD_REQUIRED, read_count, offsetof(struct series, count)},
};

static bool fail_range(const struct numbers *out, const struct node *value)
{
	located_add(out->reader->errors, value->place, "bound %zu is no %s: that is %s", out->n + 1,
		operand_type_name(out->type), operand_range(out->type, out->reader->errors->arena));
	return false;
}

/* Adds what bound rounds to. */
static bool add_rounded(struct numbers *out, const struct node *value, double bound)
{
	bool is_signed = operand_is_signed(out->type);
	uint64_t number;

	if (bound >= (is_signed ? 0x1p63 : 0x1p64))
		return fail_range(out, value);
	number = operand_order(is_signed, (uint64_t)round(bound));
	if (number > operand_greatest(out->type))
		return fail_range(out, value);
	if (out->n && number == out->items[out->n - 1]) {
		located_add(out->reader->errors, value->place,
			"bounds %zu and %zu round to the same number", out->n, out->n + 1);
		return false;
	}
	out->items[out->n++] = number;
	return true;
}

/* Above 0: a factor leads from there alone to larger numbers. */
static bool read_start(const struct numbers *out, const struct node *node, double *start)
{
	bool is_signed = operand_is_signed(out->type);
	uint64_t number;

	if (!read_number(out, "start", node, &number))
		return false;
	if (number <= operand_order(is_signed, 0)) {
		located_add(out->reader->errors, node->place, "`start` must be above 0");
		return false;
	}
	*start = (double)operand_order(is_signed, number);
	return true;
}

static void read_exponential(struct reader *r, const char *key __attribute__((unused)),
	const struct node *value, void *object)
{
	static const struct fields fields = {
		"exponential", exponential_rows, ARRAY_SIZE(exponential_rows)};
	struct numbers *out = object;
	struct series s = {};
	double bound;

	fields_read(r, &fields, value, &s);
	if (!s.start || !s.count || s.factor == 0 || !read_start(out, s.start, &bound))
		return;
	while (out->n < s.count && add_rounded(out, value, bound))
		bound *= s.factor;
}

static void read_linear(struct reader *r, const char *key __attribute__((unused)),
	const struct node *value, void *object)
{
	static const struct fields fields = {"linear", linear_rows, ARRAY_SIZE(linear_rows)};
	struct numbers *out = object;
	struct series s = {};
	uint64_t start, width;

	fields_read(r, &fields, value, &s);
	if (!s.start || !s.count || !s.width || !read_number(out, "start", s.start, &start) ||
		!scalar_whole(r, "width", s.width, 1, INT64_MAX, &width))
		return;
	out->items[out->n++] = start;
	for (; out->n < s.count; out->items[out->n++] = start) {
		if (operand_greatest(out->type) - start < width) {
			fail_range(out, value);
			return;
		}
		start += width;
	}
}

static const struct field rows[] = {
	{"exponential", NODE_MAPPING, read_exponential},
	{"linear", NODE_MAPPING, read_linear},
};

static const struct fields buckets = {"buckets", rows, ARRAY_SIZE(rows)};

static void read_series(struct numbers *out, const struct node *value)
{
	if (node_get(value, rows[0].key) && node_get(value, rows[1].key))
		located_add(out->reader->errors, value->keys[1]->place,
			"`%s` is one series, not two", out->key);
	else
		fields_read(out->reader, &buckets, value, out);
}

static void fill_default(struct numbers *out)
{
	bool is_signed = operand_is_signed(out->type);

	for (unsigned i = 0; i < DEFAULT_BOUNDS; i++) {
		uint64_t number = operand_order(is_signed, 1ULL << 2 * i);

		if (number > operand_greatest(out->type))
			return;
		out->items[out->n++] = number;
	}
}

void numbers_read(struct reader *r, const char *key, const struct node *value, enum operand_type t,
	uint64_t **out, size_t *n)
{
	struct numbers numbers = {.reader = r, .key = key, .type = t};
	size_t n_before = r->errors->n_found;

	if (value && value->kind == NODE_LIST && value->n > CONFIG_MAX_BOUNDS) {
		located_add(r->errors, value->place, "`%s` has %zu bounds; %d is the most", key,
			value->n, CONFIG_MAX_BOUNDS);
		return;
	}
	numbers.items = arena_array(r->config->arena, CONFIG_MAX_BOUNDS, sizeof(*numbers.items));
	if (!value)
		fill_default(&numbers);
	else if (value->kind == NODE_LIST)
		read_list(&numbers, value);
	else
		read_series(&numbers, value);
	if (r->errors->n_found > n_before)
		return;
	*out = numbers.items;
	*n = numbers.n;
}
