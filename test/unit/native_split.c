// SPDX-License-Identifier: Apache-2.0
/* What one word has counted is told apart as the bucket and the native bucket that it was for. */
#include "check.h"

#include "base/cleanup.h"
#include "bpf/bucket.h"
#include "trace/native.h"

enum { MAX_WORDS = NATIVE_SIGNED_RANKS + CELL_MAX_BOUNDS };

/* bits, in order: what the kernel's side adds to, taken apart. */
static void check_number(enum native_kind kind, const uint64_t *bounds, uint32_t n, uint64_t bits)
{
	uint64_t words[MAX_WORDS] = {}, buckets[CELL_MAX_BOUNDS + 1] = {};
	uint64_t counts[NATIVE_SIGNED_RANKS] = {};
	uint64_t in_order = kind == NATIVE_SIGNED ? bits ^ 1ULL << 63 : bits;
	uint32_t bucket = bucket_find((const __u64 *)bounds, n, in_order);
	uint32_t rank = kind == NATIVE_DURATIONS
				? native_rank_of_duration(bits)
				: native_rank_of_value(kind == NATIVE_SIGNED, bits);

	words[bucket + rank] = 7;
	native_split(kind, bounds, n, words, buckets, counts);
	CHECK_INT(buckets[bucket], 7);
	CHECK_INT(counts[rank], 7);
	for (uint32_t i = 0; i < native_ranks(kind); i++)
		CHECK(i == rank || !counts[i]);
	for (uint32_t i = 0; i <= n; i++)
		CHECK(i == bucket || !buckets[i]);
}

/* The number at each native bound and both neighbours, and the same below zero. */
static void check_bounds(enum native_kind kind, const uint64_t *bounds, uint32_t n)
{
	const __u64 *ends = kind == NATIVE_DURATIONS ? native_duration_bounds : native_value_bounds;

	for (uint32_t i = 0; i < 64 * NATIVE_BOUNDS; i++) {
		for (uint64_t d = 0; d < 3; d++) {
			uint64_t near =
				(ends[i % NATIVE_BOUNDS] >> (63 - i / NATIVE_BOUNDS)) + d - 1;

			check_number(kind, bounds, n, near);
			check_number(kind, bounds, n, 0 - near);
		}
	}
	for (uint32_t i = 0; i < n; i++)
		for (uint64_t d = 0; d < 3; d++)
			check_number(kind, bounds, n,
				(bounds[i] + d - 1) ^ (kind == NATIVE_SIGNED ? 1ULL << 63 : 0));
	check_number(kind, bounds, n, 0);
	check_number(kind, bounds, n, UINT64_MAX);
}

/* Bounds that native ones share, several within one native bucket, at the ends and around zero. */
static void each_number_is_told_apart(void)
{
	static const uint64_t bounds[] = {0, 1, 2, 8, 100, 1000, 1001, 1002, 1024, 1ULL << 40,
		(1ULL << 63) - 1000, (1ULL << 63) - 1, 1ULL << 63, (1ULL << 63) + 1,
		(1ULL << 63) + 8, (1ULL << 63) + 4096, UINT64_MAX - 1, UINT64_MAX};

	for (int kind = NATIVE_DURATIONS; kind < N_NATIVE_KINDS; kind++) {
		check_bounds(kind, bounds, 0);
		check_bounds(kind, bounds + 5, 1);
		check_bounds(kind, bounds, ARRAY_SIZE(bounds));
	}
}

int main(void)
{
	static const struct check_test tests[] = {CHECK_TEST(each_number_is_told_apart)};

	return check_run(tests, ARRAY_SIZE(tests));
}
