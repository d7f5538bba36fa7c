// SPDX-License-Identifier: Apache-2.0
/*
 * Every named number or range is an interval. Sorted, with what lies between them named by
 * `otherwise` or not at all, they divide all numbers. Neighbours of one name become one part.
 */
#include "config/partition.h"

#include <stdlib.h>

#include "config/condition.h"

struct interval {
	uint64_t low, high;
	const char *text;
	const struct node *key; /* which named it */
};

/* Those of one label. */
struct intervals {
	struct reader *reader;
	enum operand_type type;
	struct interval *items;
	size_t n;
};

static bool scan_value(struct scan *s, enum operand_type t, struct interval *out)
{
	if (!operand_scan_number(s, t, &out->low))
		return false;
	out->high = out->low;
	return true;
}

static bool scan_comparison(struct scan *s, enum operand_type t, struct interval *out)
{
	const char *start = s->at;
	struct range range;

	if (!comparison_scan(s, t, &range))
		return false;
	if (range.is_outside)
		return scan_fail(s, start,
			"!= is no one range; name the number alone, and all others by `otherwise`");
	out->low = range.low;
	out->high = range.high;
	return true;
}

/* A comparison, a number, or LOW..HIGH. */
static bool scan_range(struct scan *s, enum operand_type t, struct interval *out)
{
	const char *start;

	scan_blanks(s);
	if (*s->at && strchr("<>=!", *s->at))
		return scan_comparison(s, t, out);
	if (!scan_value(s, t, out))
		return false;
	scan_blanks(s);
	if (!scan_text(s, ".."))
		return true;
	start = s->at;
	if (!operand_scan_number(s, t, &out->high))
		return false;
	return out->high >= out->low || scan_fail(s, start, "the range ends before it begins");
}

/* Nothing lies below the least number of a type, or above its greatest. */
static void widen(enum operand_type t, struct interval *i)
{
	if (i->low == operand_least(t))
		i->low = 0;
	if (i->high == operand_greatest(t))
		i->high = UINT64_MAX;
}

/* The text of a label value. */
static const char *label_text(struct reader *r, const char *key, const struct node *value)
{
	if (!fields_accept(r, key, value, NODE_SCALAR))
		return NULL;
	return arena_strdup(r->config->arena, value->text);
}

static void read_intervals(struct intervals *all, const char *key, const struct node *value,
	bool (*scan_one)(struct scan *s, enum operand_type t, struct interval *out))
{
	for (size_t i = 0; value && i < value->n; i++) {
		struct interval *next = &all->items[all->n];
		struct scan s;

		if (value->keys[i]->kind == NODE_BROKEN)
			continue;
		s = scan_of(all->reader, key, value->keys[i]);
		if (!scan_one(&s, all->type, next) || !scan_end(&s))
			continue;
		widen(all->type, next);
		next->text = label_text(all->reader, key, value->items[i]);
		next->key = value->keys[i];
		all->n += next->text != NULL;
	}
}

static int compare(const void *a, const void *b)
{
	const struct interval *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return place_compare(x->key->place, y->key->place);
}

/* At the one that stands later in the file. */
static void report_overlap(struct reader *r, const struct node *a, const struct node *b)
{
	bool is_in_order = place_compare(a->place, b->place) < 0;
	const struct node *first = is_in_order ? a : b, *second = is_in_order ? b : a;

	located_add(r->errors, second->place, "%s has numbers that %s in line %u has, too",
		located_quote(r->errors, second->text), located_quote(r->errors, first->text),
		first->place.line);
}

static void report_overlaps(const struct intervals *all)
{
	const struct interval *furthest = &all->items[0];

	for (size_t i = 1; i < all->n; i++) {
		const struct interval *at = &all->items[i];

		if (furthest->high >= at->low)
			report_overlap(all->reader, furthest->key, at->key);
		if (at->high > furthest->high)
			furthest = at;
	}
}

static bool is_same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* Begins a part; the first begins below all numbers. */
static void begin_part(struct partition *p, bool *is_begun, uint64_t start, const char *text)
{
	if (!*is_begun) {
		p->texts[0] = text;
		*is_begun = true;
		return;
	}
	if (is_same(p->texts[p->n_starts], text))
		return;
	p->starts[p->n_starts++] = start;
	p->texts[p->n_starts] = text;
}

static void divide(struct partition *p, const struct intervals *all, const char *otherwise)
{
	struct arena *a = all->reader->config->arena;
	uint64_t next = 0; /* the first number that is in no part yet */
	bool is_begun = false;

	p->starts = arena_array(a, 2 * all->n + 1, sizeof(*p->starts));
	p->texts = arena_array(a, 2 * all->n + 2, sizeof(*p->texts));
	for (size_t i = 0; i < all->n; i++) {
		if (all->items[i].low > next)
			begin_part(p, &is_begun, next, otherwise);
		begin_part(p, &is_begun, all->items[i].low, all->items[i].text);
		if (all->items[i].high == UINT64_MAX)
			return;
		next = all->items[i].high + 1;
	}
	begin_part(p, &is_begun, next, otherwise);
}

void partition_read(struct reader *r, const struct partition_keys *keys, enum operand_type t,
	struct partition *out)
{
	size_t n = (keys->values ? keys->values->n : 0) + (keys->ranges ? keys->ranges->n : 0);
	struct intervals all = {.reader = r, .type = t};
	const char *otherwise = NULL;

	if (!n) {
		if (keys->otherwise)
			located_add(r->errors, keys->otherwise->place,
				"`otherwise` needs `values` or `ranges` to be other than");
		return;
	}
	all.items = arena_array(r->errors->arena, n, sizeof(*all.items));
	if (keys->otherwise)
		otherwise = label_text(r, "otherwise", keys->otherwise);
	read_intervals(&all, "values", keys->values, scan_value);
	read_intervals(&all, "ranges", keys->ranges, scan_range);
	if (all.n)
		qsort(all.items, all.n, sizeof(*all.items), compare);
	report_overlaps(&all);
	divide(out, &all, otherwise);
}
