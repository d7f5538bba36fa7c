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
#include "trace/link.h"

/* The maps that all banks share, with the programs that watch threads end. */
struct shared;

int shared_new(struct shared **out, uint32_t max_slots, struct error *e);
void shared_free(struct shared *s);
DEFINE_CLEANUP(shared_free, struct shared *)

/* The loss element of a slot, mapped. */
struct loss *shared_loss(const struct shared *s, uint32_t slot);

/* How often a program was started or a process ended since shared_new(). */
uint64_t shared_changes(const struct shared *s);

/* Whether some process has had many starts open since this was asked last. */
bool shared_take_crowded(struct shared *s);

/* For what libbpf does with its maps and programs. */
struct bpf_object *shared_object(const struct shared *s);

/* Slots that may be alive at once. */
uint32_t shared_capacity(const struct shared *s);

struct bank {
	struct bank *next;
	struct bpf_object *object;
	struct link_programs programs; /* for calls that are seen to return, or not to end */
	struct link_programs by_exits[N_CALLS_OF]; /* for calls with a site on each exit */
	uint64_t *bounds;                          /* owned */
	size_t n_bounds;
	bool is_timed;
	uint32_t base_slot, n_slots, n_used; /* slots handed out so far */
	uint32_t n_live;                     /* of them, still someone's */
	uint32_t n_shards, cell_bytes;
	const uint64_t *cells;
	size_t mapped_bytes;
};

/* Loads programs and maps cells for slots base_slot .. base_slot + n_slots - 1, and takes their
 * loss elements. bounds is copied. */
int bank_new(struct bank **out, struct shared *shared, enum attach_mode mode, bool is_timed,
	const struct bounds *bounds, uint32_t base_slot, uint32_t n_slots, struct error *e);
void bank_free(struct bank *b);
DEFINE_CLEANUP(bank_free, struct bank *)

/* The words of one shard of a slot. */
const uint64_t *bank_cell(const struct bank *b, uint32_t slot, uint32_t shard);
