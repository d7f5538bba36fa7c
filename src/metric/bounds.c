// SPDX-License-Identifier: Apache-2.0
/*
 * `le` must read the same in every scrape and for every probe, or Prometheus sees other series:
 * each bound's text is made in one place, and is the shortest that reads back as the same number.
 * Bounds of more than 104 days can differ by less than a double does: they become one bucket.
 */
#include "metric/bounds.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/number.h"

struct bounds_cache_entry {
	struct bounds_cache_entry *next;
	const struct bounds *of;
	struct histogram_bounds bounds;
};

static bool is_equal(const struct bounds *a, const struct bounds *b)
{
	return a->n == b->n && (!a->n || !memcmp(a->ns, b->ns, a->n * sizeof(*a->ns)));
}

static struct label_text le_text(double seconds, struct arena *a)
{
	_cleanup_(buffer_deinit) struct buffer text = {};

	buffer_puts(&text, "le=\"");
	number_put_double(&text, seconds);
	buffer_putc(&text, '"');
	return (struct label_text){arena_strndup(a, buffer_text(&text), text.size), text.size};
}

static struct bounds_cache_entry *entry_new(const struct bounds *b, struct arena *a)
{
	struct bounds_cache_entry *e = arena_alloc(a, sizeof(*e));
	struct label_text *le = arena_array(a, b->n + 1, sizeof(*le));

	for (size_t i = 0; i < b->n; i++) {
		le[i] = le_text((double)b->ns[i] / 1e9, a);
		if (i && !strcmp(le[i - 1].text, le[i].text))
			le[i - 1].size = 0;
	}
	le[b->n] = le_text(INFINITY, a);
	e->of = b;
	e->bounds = (struct histogram_bounds){.n = b->n, .le = le};
	return e;
}

const struct histogram_bounds *bounds_cache_get(
	struct bounds_cache *c, const struct bounds *b, struct arena *a)
{
	struct bounds_cache_entry *e;

	for (e = c->entries; e; e = e->next)
		if (is_equal(e->of, b))
			return &e->bounds;
	e = entry_new(b, a);
	e->next = c->entries;
	c->entries = e;
	return &e->bounds;
}

/* Bounds are whole numbers: as such they are shortest. */
static struct label_text le_number(uint64_t order, bool is_signed, struct arena *a)
{
	uint64_t bits = operand_order(is_signed, order);
	const char *text = is_signed ? arena_printf(a, "le=\"%" PRId64 "\"", (int64_t)bits)
				     : arena_printf(a, "le=\"%" PRIu64 "\"", bits);

	return (struct label_text){text, strlen(text)};
}

const struct histogram_bounds *bounds_of_value(const struct value *v, struct arena *a)
{
	struct histogram_bounds *b = arena_alloc(a, sizeof(*b));
	struct label_text *le = arena_array(a, v->n_bounds + 1, sizeof(*le));
	bool is_signed = operand_is_signed(v->from.type);

	for (size_t i = 0; i < v->n_bounds; i++)
		le[i] = le_number(v->bounds[i], is_signed, a);
	le[v->n_bounds] = le_text(INFINITY, a);
	*b = (struct histogram_bounds){
		.n = v->n_bounds,
		.sum = is_signed ? SUM_SIGNED : SUM_UNSIGNED,
		.le = le,
	};
	return b;
}
