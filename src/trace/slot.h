/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slots: where each series counts. A slot belongs to the identity of a series, not to a plan: it is
 * handed out when a plan first names the series, and given back only after a reload that no longer
 * has it: a file that goes away and comes back finds its counts.
 */
#pragma once

#include <uthash.h>

#include "plan/plan.h"
#include "trace/account.h"
#include "trace/bank.h"
#include "trace/cost.h"

struct slot {
	UT_hash_handle hh;
	char *identity;   /* key */
	char *probe_name; /* whose series it is */
	struct bank *bank;
	uint32_t number;
	/* In an earlier slot, of a shape that the series had then. */
	uint64_t calls_before, hits_before;
	/* What hits cost: settled_ns for the first settled_hits, call_ns for each since. */
	uint64_t settled_ns, settled_hits;
	uint32_t call_ns, floor_ns; /* of the dearest site; floor_ns: what an empty call measures */
	struct slot *next_retired;
	uint32_t planned_ns; /* scratch of slots_charge */
	bool was_left;       /* a site of it was detached, and none attached since */
	bool is_attached;    /* scratch of slots_switch */
	bool is_named;       /* scratch of slots_retire_unused */
	bool is_shown;       /* scratch of the view: has an attached site */
};

struct slots {
	struct slot *by_identity;
	struct bank *banks;
	struct slot *retired;     /* in use by a view still */
	struct account *accounts; /* by the probe's name */
	uint32_t next;            /* the number that the next bank starts at */
};

void slots_deinit(struct slots *s);

/* The slot of a series, or NULL where it has none of its shape. */
struct slot *slots_find(const struct slots *s, const struct plan_series *series);

/* Calls counted so far, in all slots that the series has had, but for those of label sets with
 * slots of their own. */
uint64_t slot_calls(const struct slot *s);

/* Calls met so far: also those that don't count, or in a label set's slot. */
uint64_t slot_hits(const struct slot *s);

/* Adds up a word over all shards of a slot. */
uint64_t slot_word(const struct bank *b, uint32_t number, size_t word);

/* What its calls have cost so far. */
uint64_t slot_overhead_ns(const struct slot *s);

/* Makes sure that every series of plan has a slot of its shape; makes a bank for each shape among
 * the new ones. Of a series that begins or ends to be timed only the calls go on; its sites must
 * be off.
 * On failure the series that could be served have theirs. */
int slots_provide(struct slots *s, struct shared *shared, enum attach_mode mode,
	const struct plan *plan, struct error *e);

/* Has what calls cost from now on follow from plan's sites. */
void slots_charge(struct slots *s, const struct plan *plan, const struct costs *costs);

/* Gives back the slots that plan does not name, but for those of probes that wait for their file.
 * For use at a reload; no site may be attached on them. */
void slots_retire_unused(struct slots *s, const struct plan *plan);

/* Frees what was given back or replaced, the banks that are left empty, and the accounts of probes
 * that config has not. No view may have it any more. */
void slots_bury(struct slots *s, struct shared *shared, const struct config *config);
