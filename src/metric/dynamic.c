// SPDX-License-Identifier: Apache-2.0
/*
 * Different keys can read the same: a byte that is spelt out and the text of its spelling, two
 * numbers of one name, a text "other" and the series of what is past the limit. Prometheus takes no
 * two series of one label set, so what a reader can't tell apart is one series.
 */
#include "metric/dynamic.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "config/carried.h"

/* A label set that was met in this scrape. */
struct met {
	UT_hash_handle hh;
	struct shown_series *shown;
	struct series_reading reading;
};

/* What a list of readings becomes. */
struct merging {
	struct probe_state *probe;
	const struct carry_names *names;
	struct arena *arena;
	struct shown *out;
	struct met *met; /* by the texts of both label sets */
	bool is_under_way;
};

void dynamic_init(struct probe_state *p, struct arena *a)
{
	const struct probe *config = p->plan->config;
	struct carry *c;

	if (!config->dynamic.n)
		return;
	c = arena_alloc(a, sizeof(*c));
	carry_init(c, config, 0);
	p->carry = c;
}

/* The value as it is shown: valid UTF-8, without a character that its size has cut. */
static const char *shown_value(const struct merging *m, const struct label_key *key, size_t index)
{
	const struct probe *config = m->probe->plan->config;
	_cleanup_(buffer_deinit) struct buffer raw = {}, valid = {};
	size_t n;

	carry_put_label(&raw, config, m->probe->carry, index, key, m->names);
	n = raw.size;
	if (n == config->dynamic.items[index].size)
		n = utf8_whole_size(buffer_text(&raw), n);
	utf8_put_bytes(&valid, buffer_text(&raw), n, NULL);
	return arena_strndup(m->arena, buffer_text(&valid), valid.size);
}

/* Labels that are not in the key are left out; without a key they stand for all that have none. */
static const struct label_set *label_set_of(const struct merging *m, const struct label_key *key)
{
	const struct dynamic_labels *all = &m->probe->plan->config->dynamic;
	struct label_set *set = arena_alloc(m->arena, sizeof(*set));
	struct label labels[CONFIG_MAX_DYNAMIC];
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		if (m->is_under_way && m->probe->carry->labels[i].operand.is_return)
			continue;
		labels[n].name = all->items[i].name;
		labels[n++].value = key ? shown_value(m, key, i) : "other";
	}
	label_set_init(set, labels, n, m->arena);
	return set;
}

static const uint64_t *sum_of(const uint64_t *a, const uint64_t *b, size_t n, struct arena *arena)
{
	uint64_t *sum;

	if (!a || !b)
		return a ? a : b;
	sum = arena_array(arena, n, sizeof(*sum));
	for (size_t i = 0; i < n; i++)
		sum[i] = a[i] + b[i];
	return sum;
}

static struct native_reading native_of(
	const struct merging *m, const struct native_reading *a, const struct native_reading *b)
{
	return (struct native_reading){
		a->kind, sum_of(a->counts, b->counts, native_ranks(a->kind), m->arena)};
}

static const struct value_reading *values_of(
	const struct merging *m, const struct series_reading *a, const struct series_reading *b)
{
	const struct values *all = &m->probe->plan->config->values;
	struct value_reading *sum = arena_array(m->arena, all->n, sizeof(*sum));

	for (size_t i = 0; i < all->n; i++)
		sum[i] = (struct value_reading){
			.sum = a->values[i].sum + b->values[i].sum,
			.count = a->values[i].count + b->values[i].count,
			.buckets = sum_of(a->values[i].buckets, b->values[i].buckets,
				all->items[i].n_bounds + 1, m->arena),
			.native = native_of(m, &a->values[i].native, &b->values[i].native),
		};
	return sum;
}

static void add_reading(
	const struct merging *m, struct series_reading *to, const struct series_reading *more)
{
	to->calls += more->calls;
	to->errors += more->errors;
	to->completed += more->completed;
	to->sum_ns += more->sum_ns;
	to->missed += more->missed;
	to->abandoned += more->abandoned;
	to->in_flight += more->in_flight;
	to->buckets =
		sum_of(to->buckets, more->buckets, m->probe->plan->config->bounds.n + 1, m->arena);
	to->native = native_of(m, &to->native, &more->native);
	if (to->values && more->values)
		to->values = values_of(m, to, more);
}

/* What both label sets read, the plan's by its address. */
static const char *text_of(
	const struct merging *m, const struct label_set *labels, const struct label_set *more)
{
	return arena_printf(m->arena, "%p %s", (const void *)labels, more->text);
}

static void show(struct merging *m, const struct label_set *labels, const struct series_reading *r)
{
	const struct label_set *more = label_set_of(m, r->key);
	const char *text = text_of(m, labels, more);
	struct met *met;

	HASH_FIND_STR(m->met, text, met);
	if (met) {
		add_reading(m, &met->reading, r);
		return;
	}
	met = arena_alloc(m->arena, sizeof(*met));
	met->reading = *r;
	HASH_ADD_KEYPTR(hh, m->met, text, strlen(text), met);
	m->out->items[m->out->n++] = (struct shown_series){labels, more, &met->reading};
}

/* Whether a reading says anything: a set that was just made doesn't, nor does an empty rest. */
static bool is_empty(const struct series_reading *r, bool is_under_way)
{
	return is_under_way ? !r->in_flight && !r->key : !r->calls;
}

static void show_all(struct merging *m, const struct series_reading *readings, size_t n)
{
	size_t next = 0;

	*m->out = (struct shown){.items = arena_array(m->arena, n, sizeof(struct shown_series))};
	for (size_t i = 0; i < n; i++)
		if (!is_empty(&readings[i], m->is_under_way))
			show(m, series_labels(m->probe, readings[i].series, &next), &readings[i]);
	HASH_CLEAR(hh, m->met);
}

void dynamic_show(struct probe_state *p, const struct carry_names *names, struct arena *a)
{
	struct merging m = {.probe = p, .names = names, .arena = a, .out = &p->shown};
	const struct probe_reading *r = p->reading;

	if (!p->carry || !r)
		return;
	show_all(&m, r->series, r->n_series);
	m.is_under_way = true;
	m.out = &p->under_way;
	show_all(&m, r->under_way, r->n_under_way);
}

/* The readings of a probe whose calls bring no labels. */
static bool plain_next(struct shown_cursor *c, const struct probe_state *p, bool is_in_flight,
	struct shown_series *out)
{
	const struct probe_reading *r = p->reading;
	bool is_apart = is_in_flight && carried_is_late(p->plan->config);
	const struct series_reading *readings = is_apart ? r->under_way : r->series;

	if (c->at == (is_apart ? r->n_under_way : r->n_series))
		return false;
	out->reading = &readings[c->at++];
	out->labels = series_labels(p, out->reading->series, &c->next);
	out->more = NULL;
	return true;
}

bool shown_next(struct shown_cursor *c, const struct probe_state *p, bool is_in_flight,
	struct shown_series *out)
{
	bool is_apart = is_in_flight && carried_is_late(p->plan->config);
	const struct shown *shown = is_apart ? &p->under_way : &p->shown;

	if (!p->reading)
		return false;
	if (!p->carry)
		return plain_next(c, p, is_in_flight, out);
	if (c->at == shown->n)
		return false;
	*out = shown->items[c->at++];
	return true;
}
