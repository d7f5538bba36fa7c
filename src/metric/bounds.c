// SPDX-License-Identifier: Apache-2.0
/*
 * `le` must read the same in every scrape and for every probe, or Prometheus sees other series:
 * each bound's text is made in one place, and is the shortest that reads back as the same number.
 * Bounds of more than 104 days can differ by less than a double does: they become one bucket.
 */
#include "metric/bounds.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/number.h"

struct bounds_cache_entry {
	struct bounds_cache_entry *next;
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
	e->bounds = (struct histogram_bounds){.bounds = b, .le = le};
	return e;
}

const struct histogram_bounds *bounds_cache_get(
	struct bounds_cache *c, const struct bounds *b, struct arena *a)
{
	struct bounds_cache_entry *e;

	for (e = c->entries; e; e = e->next)
		if (is_equal(e->bounds.bounds, b))
			return &e->bounds;
	e = entry_new(b, a);
	e->next = c->entries;
	c->entries = e;
	return &e->bounds;
}
