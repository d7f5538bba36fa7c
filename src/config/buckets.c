// SPDX-License-Identifier: Apache-2.0
/*
 * All bounds end up as whole nanoseconds, because that is what the kernel compares. A series is
 * computed by repeated multiplication or addition, in this order on every machine, and each
 * bound rounded once; where two meet in one nanosecond it is refused, not thinned out.
 */
#include "config/buckets.h"

#include <inttypes.h>
#include <math.h>

#include "config/scalar.h"

/* Both forms of a series; each uses one of factor and width_ns. */
struct series {
	uint64_t start_ns;
	double factor;
	uint64_t width_ns;
	uint64_t count;
};

static void read_duration(struct reader *r, const char *key, const struct node *value, void *out)
{
	scalar_duration(r, key, value, out);
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
	{"start", FIELD_DURATION | FIELD_REQUIRED, read_duration,
		offsetof(struct series, start_ns)},
	{"factor", NODE_NUMBER | FIELD_REQUIRED, read_factor, offsetof(struct series, factor)},
	{"count", NODE_NUMBER | FIELD_REQUIRED, read_count, offsetof(struct series, count)},
};

static const struct field linear_rows[] = {
	{"start", FIELD_DURATION | FIELD_REQUIRED, read_duration,
		offsetof(struct series, start_ns)},
	{"width", FIELD_DURATION | FIELD_REQUIRED, read_duration,
		offsetof(struct series, width_ns)},
	{"count", NODE_NUMBER | FIELD_REQUIRED, read_count, offsetof(struct series, count)},
};

static const struct fields exponential = {
	"exponential",
	exponential_rows,
	ARRAY_SIZE(exponential_rows),
};
static const struct fields linear = {"linear", linear_rows, ARRAY_SIZE(linear_rows)};

static void report_too_long(struct reader *r, const struct node *value, size_t i)
{
	located_add(r->errors, value->place, "bound %zu is longer than 292 years", i + 1);
}

static void read_exponential(struct reader *r, const char *key __attribute__((unused)),
	const struct node *value, void *out)
{
	struct bounds *b = out;
	struct series s = {};
	double bound;

	fields_read(r, &exponential, value, &s);
	bound = (double)s.start_ns;
	if (!s.start_ns || !s.count || s.factor == 0)
		return;
	b->ns = arena_array(r->config->arena, s.count, sizeof(b->ns[0]));
	for (b->n = 0; b->n < s.count && bound < 0x1p63; b->n++, bound *= s.factor) {
		b->ns[b->n] = (uint64_t)llround(bound);
		if (!b->n || b->ns[b->n] > b->ns[b->n - 1])
			continue;
		located_add(r->errors, value->place,
			"bounds %zu and %zu round to the same nanosecond", b->n, b->n + 1);
		return;
	}
	if (b->n < s.count)
		report_too_long(r, value, b->n);
}

static void read_linear(struct reader *r, const char *key __attribute__((unused)),
	const struct node *value, void *out)
{
	struct bounds *b = out;
	struct series s = {};

	fields_read(r, &linear, value, &s);
	if (!s.start_ns || !s.count || !s.width_ns)
		return;
	b->ns = arena_array(r->config->arena, s.count, sizeof(b->ns[0]));
	b->ns[0] = s.start_ns;
	for (b->n = 1; b->n < s.count; b->n++) {
		b->ns[b->n] = b->ns[b->n - 1] + s.width_ns; /* both below 2^63 */
		if (b->ns[b->n] <= INT64_MAX)
			continue;
		report_too_long(r, value, b->n);
		return;
	}
}

static const struct field rows[] = {
	{"exponential", NODE_MAPPING, read_exponential},
	{"linear", NODE_MAPPING, read_linear},
};

static const struct fields buckets = {"buckets", rows, ARRAY_SIZE(rows)};

static void read_series(struct reader *r, const struct node *value, struct bounds *out)
{
	bool has_both = node_get(value, rows[0].key) && node_get(value, rows[1].key);

	fields_read(r, &buckets, value, out);
	if (has_both)
		located_add(r->errors, value->keys[1]->place, "`buckets` is one series, not two");
}

static void read_bound(
	struct reader *r, const char *key, const struct node *value, struct bounds *out)
{
	uint64_t ns;

	if (!fields_accept_item(r, key, value, FIELD_DURATION) ||
		!scalar_duration(r, key, value, &ns))
		return;
	if (out->n && ns <= out->ns[out->n - 1])
		located_add(r->errors, value->place,
			"`%s` must ascend: %s isn't above the one before", key,
			located_quote(r->errors, value->text));
	out->ns[out->n++] = ns;
}

static void read_list(
	struct reader *r, const char *key, const struct node *value, struct bounds *out)
{
	if (value->n > CONFIG_MAX_BOUNDS) {
		located_add(r->errors, value->place, "`%s` has %zu bounds; %d is the most", key,
			value->n, CONFIG_MAX_BOUNDS);
		return;
	}
	out->ns = arena_array(r->config->arena, value->n, sizeof(out->ns[0]));
	for (size_t i = 0; i < value->n; i++)
		read_bound(r, key, value->items[i], out);
}

void buckets_read(struct reader *r, const char *key, const struct node *value, void *out)
{
	struct bounds b = {};

	if (value->kind == NODE_MAPPING)
		read_series(r, value, &b);
	else
		read_list(r, key, value, &b);
	*(struct bounds *)out = b;
}

void buckets_default(struct arena *arena, struct bounds *out)
{
	static const uint64_t steps[] = {1, 2, 5};
	uint64_t decade_ns = 1000, last_ns = 10000000000;

	out->ns = arena_array(arena, CONFIG_MAX_BOUNDS, sizeof(out->ns[0]));
	for (out->n = 0; decade_ns < last_ns; decade_ns *= 10)
		for (size_t i = 0; i < ARRAY_SIZE(steps); i++)
			out->ns[out->n++] = decade_ns * steps[i];
	out->ns[out->n++] = last_ns;
}
