/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A bank: the cells of a run of slots of one shape, and the programs loaded for them. Made as
 * large as the plan that needs it; a later plan that needs more gets another bank, so that nothing
 * that counts is ever moved.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/calls.h"
#include "config/config.h"
#include "plan/plan.h"
#include "trace/layout.h"
#include "trace/link.h"
#include "trace/shared.h"

struct bank {
	struct bank *next;
	struct bpf_object *object;
	struct link_programs programs; /* for calls that are seen to return, or not to end */
	struct link_programs by_exits[N_CALLS_OF]; /* for calls with a site on each exit */
	uint64_t *bounds;                          /* owned */
	size_t n_bounds, n_buckets; /* of durations; of which native buckets are part: */
	enum native_kind native;
	bool is_timed;
	/* First those that are handed out (so far n_used), then n_dynamic that label sets take. */
	uint32_t base_slot, n_slots, n_used;
	uint32_t n_live; /* handed out, and still someone's */
	uint32_t n_dynamic;
	struct carry carry;
	struct usdt_place *places; /* owned: a copy of the table of bpf/usdt.h */
	uint32_t n_places;
	const uint64_t *directory; /* see bpf/series.bpf.h; NULL: no label sets */
	uint32_t n_shards, cell_bytes;
	const uint64_t *cells;
};

/* Loads programs and maps cells for n_slots from base_slot on, and behind them for what l has of
 * label sets; takes their loss elements. The bounds of l are copied. */
int bank_new(struct bank **out, struct shared *shared, enum attach_mode mode,
	const struct layout *l, uint32_t base_slot, uint32_t n_slots, struct error *e);
void bank_free(struct bank *b);
DEFINE_CLEANUP(bank_free, struct bank *)

/* Of calls that carry nothing; bounds: NULL where they are not timed. */
int bank_new_plain(struct bank **out, struct shared *shared, enum attach_mode mode,
	const struct bounds *bounds, uint32_t base_slot, uint32_t n_slots, struct error *e);

/* The words of one shard of a slot. */
const uint64_t *bank_cell(const struct bank *b, uint32_t slot, uint32_t shard);

/* The number of a place of USDT points with such arguments in the bank's table, where it is put if
 * it isn't there; of no arguments 0. -E2BIG where the table has no room. */
int bank_take_place(struct bank *b, const struct usdt_place *place);

/* The key of the label set that has a slot, or NULL. */
const struct label_key *bank_key(const struct bank *b, uint32_t slot);

/* How many label sets have slots. */
uint32_t bank_n_sets(const struct bank *b);

/* The first slot of label sets. */
static inline uint32_t bank_first_dynamic(const struct bank *b)
{
	return b->base_slot + b->n_slots - b->n_dynamic;
}
