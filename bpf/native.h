/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which native bucket a number belongs to: pure, so that unit tests run it without a kernel.
 *
 * Bucket i of Prometheus' schema 3 holds what is above 2^((i-1)/8) and not above 2^(i/8); the
 * negative ones mirror them, and zero has a bucket of its own. A whole number is not above a bound
 * where it is not above the bound's whole part, so all is exact in integers. Of durations in ns the
 * bounds are 2^(i/8) seconds.
 *
 * Eight bounds lie in each octave, and all octaves are alike but for their scale: a number that is
 * shifted until its first bit is the highest compares with the same eight, of which the whole parts
 * of 64 bits are here. Its position is the count of bounds from 1 on that are below it; buckets in
 * between 1 and 2 that no whole number falls in have positions too.
 *
 * All buckets in the order of their numbers have ranks from 0 on.
 *
 * Cells keep them together with the buckets of the configured bounds, in one word for each piece
 * that both divide the numbers into: its number is the bucket's and the rank added up, for going
 * up from piece to piece one of them grows, or both. So one add counts a call for both, and they
 * have the same count at any time (src/trace/native.c takes them apart).
 */
#pragma once

#include <linux/types.h>

enum native_kind { NATIVE_NONE, NATIVE_DURATIONS, NATIVE_UNSIGNED, NATIVE_SIGNED, N_NATIVE_KINDS };

enum {
	NATIVE_BOUNDS = 8, /* of an octave */
	NATIVE_POSITIONS = 64 * NATIVE_BOUNDS + 1,
	NATIVE_SIGNED_POSITIONS = 63 * NATIVE_BOUNDS + 1,
	/* The index of the bucket at position 0, see above. */
	NATIVE_FIRST_DURATION = -239,
	NATIVE_FIRST_VALUE = 0,
	/* With the one of zero. */
	NATIVE_RANKS = 1 + NATIVE_POSITIONS,
	NATIVE_SIGNED_RANKS = 2 * NATIVE_SIGNED_POSITIONS + 1,
};

/* Whole parts of 2^(63 + k/8), and of 10^9 * 2^((265 + k)/8). */
static const __u64 native_value_bounds[NATIVE_BOUNDS] = {0x8000000000000000, 0x8b95c1e3ea8bd6e6,
	0x9837f0518db8a96f, 0xa5fed6a9b15138ea, 0xb504f333f9de6484, 0xc5672a115506dadd,
	0xd744fccad69d6af4, 0xeac0c6e7dd24392e};
static const __u64 native_duration_bounds[NATIVE_BOUNDS] = {0x81ffa7a9549ca6e3, 0x8dc3b8960164a7d9,
	0x9a9867054d512391, 0xa8965f74bf065071, 0xb7d88a12d0dd9ea0, 0xc87c3e7d03cdbec3,
	0xdaa17c2cd19555db, 0xee6b280000000000};

/* number: not 0. */
static inline __attribute__((__always_inline__)) __u32 native_position(
	const __u64 *bounds, __u64 number)
{
	__u32 octave = 63, n = 0;

#ifdef __clang__
#pragma clang loop unroll(full)
#endif
	for (__u32 step = 32; step; step >>= 1) {
		if (number >> (64 - step))
			continue;
		number <<= step;
		octave -= step;
	}
#ifdef __clang__
#pragma clang loop unroll(full)
#endif
	for (__u32 i = 0; i < NATIVE_BOUNDS && bounds[i] < number; i++)
		n++;
	return NATIVE_BOUNDS * octave + n;
}

static inline __attribute__((__always_inline__)) __u32 native_rank_of_duration(__u64 ns)
{
	return ns ? 1 + native_position(native_duration_bounds, ns) : 0;
}

/* Of zero. */
static inline __attribute__((__always_inline__)) __u32 native_middle(int is_signed)
{
	return is_signed ? NATIVE_SIGNED_POSITIONS : 0;
}

static inline __attribute__((__always_inline__)) __u32 native_rank_of_value(
	int is_signed, __u64 value)
{
	int is_negative = is_signed && value >> 63;
	__u32 position;

	if (!value)
		return native_middle(is_signed);
	position = native_position(native_value_bounds, is_negative ? 0 - value : value);
	return is_negative ? native_middle(is_signed) - 1 - position
			   : native_middle(is_signed) + 1 + position;
}

/* How many ranks there are; 1 without native buckets. */
static inline __u32 native_ranks(enum native_kind kind)
{
	static const __u32 ranks[N_NATIVE_KINDS] = {
		[NATIVE_NONE] = 1,
		[NATIVE_DURATIONS] = NATIVE_RANKS,
		[NATIVE_UNSIGNED] = NATIVE_RANKS,
		[NATIVE_SIGNED] = NATIVE_SIGNED_RANKS,
	};

	return ranks[kind];
}
