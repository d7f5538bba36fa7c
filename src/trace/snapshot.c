// SPDX-License-Identifier: Apache-2.0
/*
 * Cells are summed over their shards while programs go on adding to them. What ends a call is read
 * before what begins one, so the differences that a scrape shows are never negative.
 */
#include "trace/snapshot.h"

#include <string.h>

#include "base/memory.h"
#include "trace/state.h"

#define LOAD(word) __atomic_load_n(&(word), __ATOMIC_ACQUIRE)

/* Adds up word number `word` of all shards. */
static uint64_t read_word(const struct slot *slot, size_t word)
{
	uint64_t sum = 0;

	for (uint32_t shard = 0; shard < slot->bank->n_shards; shard++)
		sum += LOAD(bank_cell(slot->bank, slot->number, shard)[word]);
	return sum;
}

static void read_buckets(struct series_reading *r, const struct slot *slot, uint64_t *buckets)
{
	size_t n = slot->bank->n_bounds + 1;

	memset(buckets, 0, n * sizeof(*buckets));
	for (uint32_t shard = 0; shard < slot->bank->n_shards; shard++) {
		const uint64_t *cell = bank_cell(slot->bank, slot->number, shard) + CELL_BUCKETS;

		for (size_t i = 0; i < n; i++)
			buckets[i] += LOAD(cell[i]);
	}
	for (size_t i = 0; i < n; i++)
		r->completed += buckets[i];
	r->buckets = buckets;
}

static void read_series(struct series_reading *r, const struct trace *t,
	const struct plan_series *series, const struct view_slot *v, uint64_t *buckets)
{
	const struct slot *slot = v->slot;
	const struct loss *loss = shared_loss(t->shared, slot->number);

	*r = (struct series_reading){.series = series, .floor_ns = v->floor_ns};
	if (slot->bank->is_timed) {
		read_buckets(r, slot, buckets);
		r->sum_ns = read_word(slot, CELL_SUM_NS);
		r->missed = LOAD(loss->missed);
		r->abandoned = LOAD(loss->abandoned);
	}
	r->calls = slot_calls(slot);
	if (slot->bank->is_timed)
		r->in_flight =
			r->calls - slot->calls_before - r->completed - r->missed - r->abandoned;
}

/* Room for the whole snapshot, so that pointers into it stay while it is filled. */
static void reserve(struct snapshot *s, const struct view *v)
{
	size_t n_series = 0, n_buckets = 0;

	for (size_t p = 0; p < v->n_probes; p++) {
		n_series += v->probes[p].n_series;
		for (size_t i = 0; i < v->probes[p].n_series; i++)
			n_buckets += v->probes[p].slots[i].slot->bank->n_bounds + 1;
	}
	if (v->n_probes > s->probes_capacity) {
		s->probes = memory_grow(s->probes, v->n_probes, sizeof(*s->probes));
		s->probes_capacity = v->n_probes;
	}
	if (n_series > s->series_capacity) {
		s->series_pool = memory_grow(s->series_pool, n_series, sizeof(*s->series_pool));
		s->series_capacity = n_series;
	}
	if (n_buckets > s->bucket_capacity) {
		s->bucket_pool = memory_grow(s->bucket_pool, n_buckets, sizeof(*s->bucket_pool));
		s->bucket_capacity = n_buckets;
	}
}

static void read_probe(struct probe_reading *r, const struct trace *t, size_t index,
	struct series_reading **series, uint64_t **buckets)
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
		.series = *series,
		.n_series = v->n_series,
	};
	memcpy(r->n_by_class, v->n_by_class, sizeof(r->n_by_class));
	for (size_t i = 0; i < v->n_series; i++) {
		read_series(*series, t, v->series[i], &v->slots[i], *buckets);
		r->missed += (*series)->missed;
		r->abandoned += (*series)->abandoned;
		r->overhead_ns += view_slot_overhead_ns(&v->slots[i], (*series)->calls);
		*buckets += v->slots[i].slot->bank->n_bounds + 1;
		(*series)++;
	}
	for (size_t i = v->n_series; i < v->n_slots; i++)
		r->overhead_ns += view_slot_overhead_ns(&v->slots[i], slot_calls(v->slots[i].slot));
}

void snapshot_take(struct snapshot *s, struct trace *t)
{
	struct series_reading *series;
	uint64_t *buckets;

	s->plan = t->plan;
	s->generation = t->generation;
	s->mode = t->mode;
	s->costs = &t->costs;
	s->n_probes = 0;
	if (!t->plan)
		return;
	reserve(s, t->view);
	series = s->series_pool;
	buckets = s->bucket_pool;
	for (size_t i = 0; i < t->view->n_probes; i++)
		read_probe(&s->probes[i], t, i, &series, &buckets);
	s->n_probes = t->view->n_probes;
}

void snapshot_deinit(struct snapshot *s)
{
	free(s->probes);
	free(s->series_pool);
	free(s->bucket_pool);
	*s = (struct snapshot){};
}
