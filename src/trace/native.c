// SPDX-License-Identifier: Apache-2.0
/*
 * Both kinds of buckets divide the numbers from the least to the greatest. Rank by rank, those
 * buckets are gone through that have numbers in common with it: bucket and rank together say which
 * word has counted them. Where both change at once a word is passed that stays 0, and so it is with
 * ranks that have no whole number.
 */
#include "trace/native.h"

/* The greatest number at a position. */
static uint64_t end_of_position(enum native_kind kind, uint32_t position)
{
	const uint64_t *bounds = kind == NATIVE_DURATIONS ? (const uint64_t *)native_duration_bounds
							  : (const uint64_t *)native_value_bounds;
	uint32_t octave = position / NATIVE_BOUNDS;

	return octave < 64 ? bounds[position % NATIVE_BOUNDS] >> (63 - octave) : UINT64_MAX;
}

/* How much less than zero the greatest number is whose rank is below zero's by that much. */
static uint64_t least_beyond(uint32_t distance)
{
	return distance > 1 ? end_of_position(NATIVE_SIGNED, distance - 2) + 1 : 1;
}

/* The greatest number of a rank, in order. */
static uint64_t end_of_rank(enum native_kind kind, uint32_t rank)
{
	uint32_t middle = native_middle(kind == NATIVE_SIGNED);
	uint64_t zero = kind == NATIVE_SIGNED ? 1ULL << 63 : 0;

	if (rank == native_ranks(kind) - 1)
		return UINT64_MAX;
	if (rank < middle)
		return zero - least_beyond(middle - rank);
	return rank == middle ? zero : zero + end_of_position(kind, rank - middle - 1);
}

void native_split(enum native_kind kind, const uint64_t *bounds, size_t n_bounds,
	const uint64_t *words, uint64_t *buckets, uint64_t *counts)
{
	size_t bucket = 0;

	for (uint32_t rank = 0; rank < native_ranks(kind); rank++) {
		uint64_t last = end_of_rank(kind, rank);

		for (;; bucket++) {
			counts[rank] += words[rank + bucket];
			buckets[bucket] += words[rank + bucket];
			if (bucket == n_bounds || bounds[bucket] >= last)
				break;
		}
	}
}
