/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How many more label sets the exporter as a whole may have. */
#pragma once

#include "bpf/frames.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __s64);
} series_left SEC(".maps");

always_inline bool left_take(void)
{
	__u32 zero = 0;
	__s64 *left = bpf_map_lookup_elem(&series_left, &zero);

	if (!left || *left <= 0)
		return false;
	if (__sync_fetch_and_add(left, -1) > 0)
		return true;
	__sync_fetch_and_add(left, 1);
	return false;
}

always_inline void left_give(void)
{
	__u32 zero = 0;
	__s64 *left = bpf_map_lookup_elem(&series_left, &zero);

	if (left)
		__sync_fetch_and_add(left, 1);
}
