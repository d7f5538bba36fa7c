/* SPDX-License-Identifier: Apache-2.0 */
/* Takes native buckets apart from those of configured bounds, see bpf/native.h; pure. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "bpf/native.h"

/* Adds n_bounds + native_ranks(kind) words of a cell to buckets, of which there is one more than
 * bounds, and to counts, one for each rank. The bounds of signed numbers are in order (see
 * operand_order in config/config.h). */
void native_split(enum native_kind kind, const uint64_t *bounds, size_t n_bounds,
	const uint64_t *words, uint64_t *buckets, uint64_t *counts);
