/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which bucket a value belongs to: pure, so that unit tests run it without a kernel. */
#pragma once

#include "bpf/calls.h"

/* The number of bounds below value, which is the index of the first bucket whose inclusive bound
 * is not below it; n where only +Inf is left. bounds ascend; n <= CELL_MAX_BOUNDS. */
static inline __attribute__((__always_inline__)) __u32 bucket_find(
	const volatile __u64 *bounds, __u32 n, __u64 value)
{
	__u32 low = 0;

#ifdef __clang__
#pragma clang loop unroll(full)
#endif
	for (__u32 step = CELL_MAX_BOUNDS; step; step >>= 1) {
		if (low + step <= n && bounds[low + step - 1] < value)
			low += step;
	}
	return low;
}
