/* SPDX-License-Identifier: Apache-2.0 */
/* How the cells of a bank are laid out in memory; pure. See bpf/calls.h for the words. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/native.h"
#include "plan/carry.h"
#include "plan/plan.h"

/* Whether the ends of a series' calls are seen, and so it has a sum and buckets. */
bool layout_is_timed(const struct plan_series *s);

/* The native buckets that its durations keep. */
enum native_kind layout_native(const struct plan_series *s);

/* How the programs and cells of a series are to be. */
struct layout {
	bool is_timed;
	const struct bounds *bounds; /* of durations; looked at where is_timed */
	enum native_kind native;     /* of durations */
	uint32_t n_dynamic;          /* slots for label sets that calls bring */
	uint32_t cell_bytes;         /* of one slot in one shard: whole cache lines */
	struct carry carry;
};

/* Words of a cell that count durations; 0 where they are not timed. */
uint32_t layout_buckets(const struct layout *l);

void layout_init(struct layout *out, const struct plan_series *s);

/* Of calls that carry nothing; bounds: NULL where they are not timed. */
void layout_init_plain(struct layout *out, const struct bounds *bounds);

/* Shards for n_slots of that size on n_cpus: a power of two, one for each CPU where that costs
 * little memory, fewer where it would cost much. */
uint32_t layout_shards(uint64_t n_slots, uint32_t cell_bytes, unsigned n_cpus);

/* Whether two series can share a bank: the same shape of program and cells. */
bool layout_is_same(const struct plan_series *a, const struct plan_series *b);
