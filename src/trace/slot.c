// SPDX-License-Identifier: Apache-2.0
/*
 * Slot numbers only ever go up, so that a frame left open by an old series is never taken for a
 * new one's: its loss element (found by number & mask) no longer carries its number.
 */
#include "trace/slot.h"

#include <errno.h>
#include <string.h>

#include "base/memory.h"
#include "trace/layout.h"

static void slot_free(struct slot *s)
{
	free(s->identity);
	free(s->probe_name);
	free(s);
}

static void free_retired(struct slots *s)
{
	while (s->retired) {
		struct slot *slot = s->retired;

		s->retired = slot->next_retired;
		slot_free(slot);
	}
}

void slots_deinit(struct slots *s)
{
	struct slot *slot, *next_slot;
	struct bank *next;

	HASH_ITER (hh, s->by_identity, slot, next_slot) {
		HASH_DEL(s->by_identity, slot);
		slot_free(slot);
	}
	free_retired(s);
	accounts_release(&s->accounts, NULL);
	for (struct bank *b = s->banks; b; b = next) {
		next = b->next;
		bank_free(b);
	}
	*s = (struct slots){};
}

static struct slot *find_any(const struct slots *s, const char *identity)
{
	struct slot *found;

	HASH_FIND_STR(s->by_identity, identity, found);
	return found;
}

struct slot *slots_find(const struct slots *s, const struct plan_series *series)
{
	struct slot *found = find_any(s, series->identity);

	return found && found->bank->is_timed == layout_is_timed(series) &&
			       found->bank->native == layout_native(series)
		       ? found
		       : NULL;
}

uint64_t slot_word(const struct bank *b, uint32_t number, size_t word)
{
	uint64_t sum = 0;

	for (uint32_t shard = 0; shard < b->n_shards; shard++)
		sum += __atomic_load_n(&bank_cell(b, number, shard)[word], __ATOMIC_ACQUIRE);
	return sum;
}

uint64_t slot_calls(const struct slot *s)
{
	return s->calls_before + slot_word(s->bank, s->number, CELL_CALLS);
}

uint64_t slot_hits(const struct slot *s)
{
	const struct carry *c = &s->bank->carry;

	return s->hits_before +
	       slot_word(s->bank, s->number, c->is_used ? c->hits_word : CELL_CALLS);
}

uint64_t slot_overhead_ns(const struct slot *s)
{
	return s->settled_ns + (slot_hits(s) - s->settled_hits) * s->call_ns;
}

/* A scrape may be reading it: it is freed later. */
static void slot_retire(struct slots *s, struct slot *slot)
{
	account_get(&s->accounts, slot->probe_name)->retired_ns += slot_overhead_ns(slot);
	HASH_DEL(s->by_identity, slot);
	slot->next_retired = s->retired;
	s->retired = slot;
}

static void slot_add(struct slots *s, struct bank *b, const struct plan_series *series)
{
	struct slot *slot = memory_alloc(sizeof(*slot));
	struct slot *old = find_any(s, series->identity);

	slot->identity = memory_strdup(series->identity);
	slot->probe_name = memory_strdup(series->probe->config->name);
	slot->bank = b;
	slot->number = b->base_slot + b->n_used++;
	b->n_live++;
	if (old) {
		slot->calls_before = slot_calls(old);
		slot->hits_before = slot->settled_hits = slot_hits(old);
		slot_retire(s, old);
	}
	HASH_ADD_KEYPTR(hh, s->by_identity, slot->identity, strlen(slot->identity), slot);
}

/* The first number from `next` on such that n in a row share no loss element with a bank. */
static int find_numbers(uint32_t *out, const struct slots *s, uint32_t capacity, uint32_t n)
{
	uint32_t start = s->next;
	bool moved;

	do {
		moved = false;
		if (start % capacity + (uint64_t)n > capacity)
			start += capacity - start % capacity;
		for (const struct bank *b = s->banks; b && !moved; b = b->next) {
			uint32_t theirs = b->base_slot % capacity, ours = start % capacity;

			if (ours < theirs + b->n_slots && theirs < ours + n) {
				start += theirs + b->n_slots - ours;
				moved = true;
			}
		}
		if (start - s->next > 2 * capacity || start >= FRAME_SLOT - capacity)
			return -ENOSPC;
	} while (moved);
	*out = start;
	return 0;
}

static int add_bank(struct bank **out, struct slots *s, struct shared *shared,
	enum attach_mode mode, const struct plan_series *like, uint32_t n, struct error *e)
{
	struct layout layout;
	uint32_t base;
	struct bank *b;
	int r;

	layout_init(&layout, like);
	r = find_numbers(&base, s, shared_capacity(shared), n + layout.n_dynamic);
	if (r)
		return error_set(e, r,
			"no room for %u more series beside the ones in force: "
			"restart the exporter to make it",
			n + layout.n_dynamic);
	r = bank_new(&b, shared, mode, &layout, base, n, e);
	if (r)
		return r;
	s->next = base + b->n_slots;
	b->next = s->banks;
	s->banks = b;
	*out = b;
	return 0;
}

/* The series of plan that have no slot of their shape; the caller frees the array. */
static const struct plan_series **without_slot(
	const struct slots *s, const struct plan *plan, size_t *n)
{
	const struct plan_series **found = memory_alloc((plan->n_series + 1) * sizeof(*found));

	*n = 0;
	for (size_t p = 0; p < plan->n_probes; p++)
		for (size_t i = 0; i < plan->probes[p].n_series; i++)
			if (!slots_find(s, plan->probes[p].series[i]))
				found[(*n)++] = plan->probes[p].series[i];
	return found;
}

int slots_provide(struct slots *s, struct shared *shared, enum attach_mode mode,
	const struct plan *plan, struct error *e)
{
	_cleanup_(freep) const struct plan_series **wanted = NULL;
	size_t n_wanted;
	int result = 0;

	wanted = without_slot(s, plan, &n_wanted);
	for (size_t i = 0; i < n_wanted; i++) {
		const struct plan_series *like = wanted[i];
		struct bank *b = NULL;
		uint32_t n = 0;
		int r;

		for (size_t j = i; like && j < n_wanted; j++)
			n += wanted[j] && layout_is_same(wanted[j], like);
		if (!n)
			continue;
		r = add_bank(&b, s, shared, mode, like, n, e);
		if (r)
			result = r;
		for (size_t j = i; j < n_wanted; j++) {
			if (!wanted[j] || !layout_is_same(wanted[j], like))
				continue;
			if (b)
				slot_add(s, b, wanted[j]);
			wanted[j] = NULL;
		}
	}
	return result;
}

static bool is_waiting(const struct plan *plan, const char *probe_name)
{
	for (size_t i = 0; i < plan->n_probes; i++)
		if (!strcmp(plan->probes[i].config->name, probe_name))
			return plan->probes[i].state == PLAN_WAITING;
	return false;
}

static void mark_named(struct slots *s, const struct plan *plan)
{
	struct slot *slot, *next;

	HASH_ITER (hh, s->by_identity, slot, next)
		slot->is_named = false;
	for (size_t p = 0; p < plan->n_probes; p++) {
		for (size_t i = 0; i < plan->probes[p].n_series; i++) {
			slot = find_any(s, plan->probes[p].series[i]->identity);
			if (slot)
				slot->is_named = true;
		}
	}
}

static void release_empty_banks(struct slots *s, struct shared *shared)
{
	struct bank **at = &s->banks;

	while (*at) {
		struct bank *b = *at;

		if (b->n_live) {
			at = &b->next;
		} else {
			*at = b->next;
			shared_allow_series(shared, bank_n_sets(b));
			bank_free(b);
		}
	}
}

void slots_retire_unused(struct slots *s, const struct plan *plan)
{
	struct slot *slot, *next;

	mark_named(s, plan);
	HASH_ITER (hh, s->by_identity, slot, next) {
		if (slot->is_named || is_waiting(plan, slot->probe_name))
			continue;
		slot_retire(s, slot);
	}
}

void slots_bury(struct slots *s, struct shared *shared, const struct config *config)
{
	for (const struct slot *slot = s->retired; slot; slot = slot->next_retired)
		slot->bank->n_live--;
	free_retired(s);
	release_empty_banks(s, shared);
	accounts_release(&s->accounts, config);
}

/* Charges calls from now on with what the dearest planned site of the series costs. */
static void slot_settle(struct slot *s)
{
	uint64_t hits = slot_hits(s);

	s->settled_ns += (hits - s->settled_hits) * s->call_ns;
	s->settled_hits = hits;
	s->call_ns = s->planned_ns;
}

static void estimate(struct slot *slot, const struct plan_site *site, const struct costs *costs)
{
	uint32_t ns = cost_of_site(costs, site),
		 floor_ns = cost_floor(costs, site->cost, site->exit);

	if (ns > slot->planned_ns)
		slot->planned_ns = ns;
	if (floor_ns > slot->floor_ns)
		slot->floor_ns = floor_ns;
}

void slots_charge(struct slots *s, const struct plan *plan, const struct costs *costs)
{
	struct slot *slot, *next;

	HASH_ITER (hh, s->by_identity, slot, next)
		slot->planned_ns = slot->floor_ns = 0;
	for (size_t p = 0; p < plan->n_probes; p++) {
		for (size_t i = 0; i < plan->probes[p].n_sites; i++) {
			const struct plan_site *site = plan->probes[p].sites[i];

			slot = site->refusal ? NULL : slots_find(s, site->series);
			if (slot)
				estimate(slot, site, costs);
		}
	}
	HASH_ITER (hh, s->by_identity, slot, next)
		if (slot->planned_ns && slot->planned_ns != slot->call_ns)
			slot_settle(slot);
}
