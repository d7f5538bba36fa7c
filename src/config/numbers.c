// SPDX-License-Identifier: Apache-2.0
/*
 * A series is computed on whole numbers (a linear one) or rounded to them (an exponential one);
 * where two of its bounds meet, or one leaves the type's range, it is refused.
 */
#include "config/numbers.h"

#include <inttypes.h>
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

/* Adds a bound that stands in the file; false (reported) where it doesn't ascend. */
static bool add(struct numbers *out, const struct node *node, uint64_t number)
{
	if (out->n && number <= out->items[out->n - 1]) {
		located_add(out->reader->errors, node->place,
			"`%s` must ascend: bound %zu isn't above the one before", out->key,
			out->n + 1);
		return false;
	}
	out->items[out->n++] = number;
	return true;
}

static bool read_number(
	const struct numbers *for_what, const char *key, const struct node *node, uint64_t *out)
{
	struct scan s = scan_of(for_what->reader, key, node);

	return operand_scan_number(&s, for_what->type, out) && scan_end(&s);
}

static void read_list(struct numbers *out, const struct node *value)
{
	uint64_t number;

	for (size_t i = 0; i < value->n; i++)
		if (!fields_accept_item(out->reader, out->key, value->items[i], NODE_NUMBER) ||
			!read_number(out, out->key, value->items[i], &number) ||
			!add(out, value->items[i], number))
			return;
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

static void report_range(const struct numbers *out, const struct node *value)
{
	located_add(out->reader->errors, value->place, "bound %zu is no %s: that is %s", out->n + 1,
		operand_type_name(out->type), operand_range(out->type, out->reader->errors->arena));
}

static void read_exponential(struct numbers *out, const struct node *value)
{
	static const struct fields fields = {
		"exponential", exponential_rows, ARRAY_SIZE(exponential_rows)};
	bool is_signed = operand_is_signed(out->type);
	struct series s = {};
	uint64_t start;
	double bound;

	fields_read(out->reader, &fields, value, &s);
	if (!s.start || s.factor == 0 || !s.count || !read_number(out, "start", s.start, &start))
		return;
	start = operand_order(is_signed, start);
	if (!start || (is_signed && (int64_t)start < 0)) {
		located_add(out->reader->errors, s.start->place, "`start` must be above 0");
		return;
	}
	bound = (double)start;
	for (uint64_t i = 0; i < s.count; i++, bound *= s.factor) {
		uint64_t number =
			operand_order(is_signed, bound < 0x1p63 ? (uint64_t)llround(bound) : 0);

		if (bound >= 0x1p63 || number > operand_greatest(out->type)) {
			report_range(out, value);
			return;
		}
		if (!add(out, value, number))
			return;
	}
}

static void read_linear(struct numbers *out, const struct node *value)
{
	static const struct fields fields = {"linear", linear_rows, ARRAY_SIZE(linear_rows)};
	struct series s = {};
	uint64_t start, width;

	fields_read(out->reader, &fields, value, &s);
	if (!s.start || !s.width || !s.count || !read_number(out, "start", s.start, &start))
		return;
	if (!scalar_whole(out->reader, "width", s.width, 1, INT64_MAX, &width))
		return;
	for (uint64_t i = 0; i < s.count; i++, start += width) {
		add(out, value, start);
		if (i + 1 < s.count && operand_greatest(out->type) - start < width) {
			report_range(out, value);
			return;
		}
	}
}

static void read_series(struct numbers *out, const struct node *value)
{
	static const char *const names[] = {"exponential", "linear"};
	const struct node *series = value->n == 1 ? value->items[0] : NULL;

	if (!series || (strcmp(value->keys[0]->text, names[0]) != 0 &&
			       strcmp(value->keys[0]->text, names[1]) != 0)) {
		located_add(out->reader->errors, value->place,
			"`%s` is a list, {exponential: {start, factor, count}} or "
			"{linear: {start, width, count}}",
			out->key);
		return;
	}
	if (!fields_accept(out->reader, value->keys[0]->text, series, NODE_MAPPING))
		return;
	if (!strcmp(value->keys[0]->text, names[0]))
		read_exponential(out, series);
	else
		read_linear(out, series);
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
	*out = numbers.items;
	*n = numbers.n;
}
