// SPDX-License-Identifier: Apache-2.0
/*
 * Cells are summed over their shards while programs go on adding to them. What ends a call is read
 * before what begins one, so the differences that a scrape shows are never negative.
 */
#include "trace/snapshot.h"

#include <string.h>

#include "base/memory.h"
#include "trace/native.h"
#include "trace/state.h"

#define LOAD(word) __atomic_load_n(&(word), __ATOMIC_ACQUIRE)

/* Where the next reading, and what it points to, is to go. */
struct next {
	struct series_reading *series;
	struct value_reading *values;
	uint64_t *words;
};

/* A slot that is read. */
struct reading {
	const struct trace *t;
	const struct bank *bank;
	uint32_t number;
	struct next *next;
};

/* Adds up n words of all shards, from `first` on; returns the sum of them all. */
static uint64_t read_words(const struct reading *r, size_t first, size_t n, uint64_t *out)
{
	uint64_t sum = 0;

	memset(out, 0, n * sizeof(*out));
	for (uint32_t shard = 0; shard < r->bank->n_shards; shard++) {
		const uint64_t *cell = bank_cell(r->bank, r->number, shard) + first;

		for (size_t i = 0; i < n; i++)
			out[i] += LOAD(cell[i]);
	}
	for (size_t i = 0; i < n; i++)
		sum += out[i];
	return sum;
}

static uint64_t *take_words(struct next *next, size_t n)
{
	uint64_t *words = next->words;

	next->words += n;
	return words;
}

/* A histogram as it lies in cells. */
struct histogram {
	size_t word;
	const uint64_t *bounds;
	size_t n_bounds;
	enum native_kind native;
};

static struct histogram histogram_of(const struct carry *c, const struct carry_value *v)
{
	return (struct histogram){
		v->word + 1u, (const uint64_t *)c->bounds + v->first_bound, v->n_bounds, v->native};
}

static size_t words_needed(const struct histogram *h)
{
	return h->n_bounds + 1 + (h->native ? native_ranks(h->native) : 0);
}

/* Returns the sum of either kind of buckets. */
static uint64_t read_histogram(const struct reading *r, const struct histogram *h,
	const uint64_t **buckets, struct native_reading *native)
{
	uint64_t sum, words[NATIVE_SIGNED_RANKS + CARRY_MAX_BOUNDS];
	uint64_t *out = take_words(r->next, words_needed(h)), *counts = out + h->n_bounds + 1;

	*buckets = out;
	if (!h->native)
		return read_words(r, h->word, h->n_bounds + 1, out);
	*native = (struct native_reading){h->native, counts};
	memset(out, 0, words_needed(h) * sizeof(*out));
	sum = read_words(r, h->word, h->n_bounds + native_ranks(h->native), words);
	native_split(h->native, h->bounds, h->n_bounds, words, out, counts);
	return sum;
}

static void read_values(struct series_reading *out, const struct reading *r)
{
	const struct carry *c = &r->bank->carry;
	struct value_reading *values = r->next->values;

	r->next->values += c->n_values;
	for (size_t i = 0; i < c->n_values; i++) {
		const struct carry_value *v = &c->values[i];
		struct histogram h = histogram_of(c, v);

		values[i] = (struct value_reading){};
		if (!v->is_counter)
			values[i].count =
				read_histogram(r, &h, &values[i].buckets, &values[i].native);
		values[i].sum = slot_word(r->bank, r->number, v->word);
	}
	out->values = values;
}

static void read_losses(struct series_reading *out, const struct reading *r)
{
	const struct loss *loss = shared_loss(r->t->shared, r->number);

	out->missed = LOAD(loss->missed);
	out->abandoned = LOAD(loss->abandoned);
}

static struct histogram durations_of(const struct bank *b)
{
	return (struct histogram){CELL_BUCKETS, b->bounds, b->n_bounds, b->native};
}

/* All that is counted at a call's end; of what is begun and ended, what ends comes first. */
static void read_ends(struct series_reading *out, const struct reading *r)
{
	struct histogram h = durations_of(r->bank);

	if (r->bank->is_timed) {
		out->completed = read_histogram(r, &h, &out->buckets, &out->native);
		out->sum_ns = slot_word(r->bank, r->number, CELL_SUM_NS);
		if (!r->bank->carry.is_late)
			read_losses(out, r);
	}
	if (r->bank->carry.errors_word)
		out->errors = slot_word(r->bank, r->number, r->bank->carry.errors_word);
	read_values(out, r);
}

/* before: calls that were counted in an earlier slot. */
static void read_slot(struct series_reading *out, const struct reading *r, uint64_t before)
{
	uint64_t calls;

	read_ends(out, r);
	calls = slot_word(r->bank, r->number, CELL_CALLS);
	out->calls = before + calls;
	if (r->bank->is_timed && !r->bank->carry.is_late)
		out->in_flight = calls - out->completed - out->missed - out->abandoned;
}

/* What is under way in a slot where calls count late. */
static void read_under_way(struct series_reading *out, const struct reading *r)
{
	size_t begun = r->bank->carry.begun_word;
	uint64_t ended = slot_word(r->bank, r->number, begun + 1);

	read_losses(out, r);
	out->in_flight =
		slot_word(r->bank, r->number, begun) - ended - out->missed - out->abandoned;
}

static struct series_reading *add_reading(
	struct next *next, const struct plan_series *series, const struct view_slot *v)
{
	*next->series = (struct series_reading){.series = series, .floor_ns = v->floor_ns};
	return next->series++;
}

static const struct label_key *read_key(struct next *next, const struct label_set_slot *set)
{
	struct label_key *key =
		(struct label_key *)take_words(next, set->bank->carry.key_bytes / sizeof(uint64_t));

	set_put_key(set, key);
	return key;
}

/* What a series and its label sets have in flight, by the labels known at the entry. */
static void add_under_way(const struct snapshot *s, const struct reading *r,
	const struct plan_series *series, const struct view_slot *v)
{
	size_t n;
	const struct label_set_slot *sets =
		sets_of(s->sets.under_way, s->sets.n_under_way, r->number, &n);

	for (size_t i = 0; i < n; i++) {
		struct reading set = {r->t, sets[i].bank, sets[i].slot, r->next};
		struct series_reading *out = add_reading(r->next, series, v);

		out->key = read_key(r->next, &sets[i]);
		read_under_way(out, &set);
	}
	read_under_way(add_reading(r->next, series, v), r);
}

/* A series, and those of its label sets. */
static void add_series(const struct snapshot *s, const struct reading *r,
	const struct plan_series *series, const struct view_slot *v)
{
	size_t n;
	const struct label_set_slot *sets =
		sets_of(s->sets.counting, s->sets.n_counting, r->number, &n);

	for (size_t i = 0; i < n; i++) {
		struct reading set = {r->t, sets[i].bank, sets[i].slot, r->next};
		struct series_reading *out = add_reading(r->next, series, v);

		out->key = read_key(r->next, &sets[i]);
		read_slot(out, &set, 0);
	}
	read_slot(add_reading(r->next, series, v), r, v->slot->calls_before);
}

/* The label sets of all that is shown. A probe's series are of one bank, but where a later plan
 * has brought some: banks in a row are asked once. */
static void read_sets(struct snapshot *s, const struct view *v)
{
	const struct bank *last = NULL;

	sets_clear(&s->sets);
	for (size_t p = 0; p < v->n_probes; p++) {
		for (size_t i = 0; i < v->probes[p].n_series; i++) {
			const struct bank *b = v->probes[p].slots[i].slot->bank;

			if (b->n_dynamic && b != last && !sets_has(&s->sets, b))
				sets_add(&s->sets, b);
			last = b;
		}
	}
	sets_sort(&s->sets);
}

/* What readings need room for. */
struct need {
	size_t n_series, n_values, n_words;
};

static void need_slot(struct need *need, const struct bank *b)
{
	struct histogram h = durations_of(b);

	need->n_series++;
	need->n_values += b->carry.n_values;
	need->n_words += words_needed(&h) + b->carry.key_bytes / sizeof(uint64_t);
	for (size_t i = 0; i < b->carry.n_values; i++) {
		h = histogram_of(&b->carry, &b->carry.values[i]);
		need->n_words += words_needed(&h);
	}
}

static void *room(void *pool, size_t *capacity, size_t n, size_t size)
{
	if (n <= *capacity)
		return pool;
	*capacity = n;
	return memory_grow(pool, n, size);
}

/* Room for the whole snapshot, so that pointers into it stay while it is filled. */
static void reserve(struct snapshot *s, const struct view *v)
{
	struct need need = {};

	for (size_t p = 0; p < v->n_probes; p++) {
		for (size_t i = 0; i < v->probes[p].n_series; i++) {
			const struct bank *b = v->probes[p].slots[i].slot->bank;

			need_slot(&need, b);
			if (b->carry.is_late)
				need_slot(&need, b);
		}
	}
	for (size_t i = 0; i < s->sets.n_counting; i++)
		need_slot(&need, s->sets.counting[i].bank);
	for (size_t i = 0; i < s->sets.n_under_way; i++)
		need_slot(&need, s->sets.under_way[i].bank);
	s->probes = room(s->probes, &s->probes_capacity, v->n_probes, sizeof(*s->probes));
	s->series_pool =
		room(s->series_pool, &s->series_capacity, need.n_series, sizeof(*s->series_pool));
	s->value_pool =
		room(s->value_pool, &s->value_capacity, need.n_values, sizeof(*s->value_pool));
	s->word_pool = room(s->word_pool, &s->word_capacity, need.n_words, sizeof(*s->word_pool));
}

/* What is counted of the probe as a whole. */
static void read_totals(struct probe_reading *r, const struct trace *t, const struct view_probe *v)
{
	for (size_t i = 0; i < v->n_series; i++) {
		const struct loss *l = shared_loss(t->shared, v->slots[i].slot->number);

		r->read_faults += LOAD(l->read_faults);
		r->series_overflow += LOAD(l->overflow);
	}
	for (size_t i = 0; i < v->n_slots; i++)
		r->overhead_ns += view_slot_overhead_ns(&v->slots[i]);
}

static void read_series(struct probe_reading *r, const struct snapshot *s, const struct trace *t,
	const struct view_probe *v, struct next *next)
{
	struct reading reading = {.t = t, .next = next};

	r->series = next->series;
	for (size_t i = 0; i < v->n_series; i++) {
		reading.bank = v->slots[i].slot->bank;
		reading.number = v->slots[i].slot->number;
		add_series(s, &reading, v->series[i], &v->slots[i]);
	}
	r->n_series = (size_t)(next->series - r->series);
	r->under_way = next->series;
	for (size_t i = 0; i < v->n_series; i++) {
		reading.bank = v->slots[i].slot->bank;
		reading.number = v->slots[i].slot->number;
		if (reading.bank->carry.is_late)
			add_under_way(s, &reading, v->series[i], &v->slots[i]);
	}
	r->n_under_way = (size_t)(next->series - r->under_way);
	for (const struct series_reading *i = r->series; i < next->series; i++) {
		r->missed += i->missed;
		r->abandoned += i->abandoned;
	}
}

static void read_probe(struct probe_reading *r, const struct snapshot *s, const struct trace *t,
	size_t index, struct next *next)
{
	const struct view_probe *v = &t->view->probes[index];
	const struct plan_probe *p = &t->plan->probes[index];

	*r = (struct probe_reading){
		.probe = p,
		.n_attached = v->n_attached,
		.n_refused = p->n_refused,
		.n_failed = v->n_failed,
		.n_shed = v->n_shed,
		.n_sheddings = v->n_sheddings,
		.failure = v->failure ? v->failure : v->blind,
		.is_up = p->state == PLAN_READY && v->n_attached && !v->n_failed && !v->n_shed &&
			 v->is_proven && !v->blind,
		.overhead_ns = v->retired_ns,
	};
	memcpy(r->n_by_class, v->n_by_class, sizeof(r->n_by_class));
	read_series(r, s, t, v, next);
	read_totals(r, t, v);
}

void snapshot_take(struct snapshot *s, struct trace *t)
{
	struct next next;

	s->plan = t->plan;
	s->generation = t->generation;
	s->mode = t->mode;
	s->costs = &t->costs;
	s->n_probes = 0;
	if (!t->plan)
		return;
	read_sets(s, t->view);
	reserve(s, t->view);
	next = (struct next){s->series_pool, s->value_pool, s->word_pool};
	for (size_t i = 0; i < t->view->n_probes; i++)
		read_probe(&s->probes[i], s, t, i, &next);
	s->n_probes = t->view->n_probes;
}

void snapshot_deinit(struct snapshot *s)
{
	sets_deinit(&s->sets);
	free(s->probes);
	free(s->series_pool);
	free(s->value_pool);
	free(s->word_pool);
	*s = (struct snapshot){};
}
