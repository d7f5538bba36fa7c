/* SPDX-License-Identifier: Apache-2.0 */
/* How the cells of a bank are laid out in memory; pure. See bpf/calls.h for the words. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/plan.h"

/* Whether a series has a duration, and so a sum and buckets. */
bool layout_is_timed(const struct plan_series *s);

/* Bytes of one slot's cells in one shard: whole cache lines. */
uint32_t layout_cell_bytes(bool is_timed, size_t n_bounds);

/* Shards for n_slots of that size on n_cpus: a power of two, one for each CPU where that costs
 * little memory, fewer where it would cost much. */
uint32_t layout_shards(uint64_t n_slots, uint32_t cell_bytes, unsigned n_cpus);

/* Whether two series can share a bank: the same shape of program and cells. */
bool layout_is_same(const struct plan_series *a, const struct plan_series *b);
