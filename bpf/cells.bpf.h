/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a bank's programs count in: its cells, and the losses of all banks. See calls.h. */
#pragma once

#include "bpf/bucket.h"
#include "bpf/frames.bpf.h"
#include "bpf/native.h"

const volatile struct shape shape SEC(".rodata.shape");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, CELL_LINE_BYTES); /* this and the next are set before load */
	__uint(max_entries, 1);
} cells SEC(".maps");

always_inline __u64 *cell_of(__u32 slot)
{
	__u32 shard = bpf_get_smp_processor_id() & (shape.n_shards - 1);
	__u32 index = (slot - shape.base_slot) * shape.n_shards + shard;

	return bpf_map_lookup_elem(&cells, &index);
}

always_inline void add_word(__u32 slot, __u32 word, __u64 more)
{
	__u64 *cell = cell_of(slot);

	if (cell)
		__sync_fetch_and_add(&cell[word], more);
}

always_inline void count_call(__u32 slot)
{
	add_word(slot, CELL_CALLS, 1);
}

always_inline void count_missed(__u32 slot)
{
	count_missed_of(slot, shape.loss_mask);
}

/* Whether what happens at a site counts, where exits have sites of their own: they come off before
 * the entries, which are as good as gone from then on. */
always_inline bool is_heeded(__u64 cookie)
{
	struct loss *l;

	if (cookie & COOKIE_IS_EXIT)
		return true;
	l = loss_of(cookie & COOKIE_SLOT, shape.loss_mask);
	return l && !l->is_off;
}

/* Whether a call began before its probe was taken off: what ends now may be another one, which was
 * not seen to begin. */
always_inline bool is_outdated(__u32 slot, __u64 start_ns, __u64 now_ns)
{
	struct loss *l;

	if (now_ns <= start_ns || now_ns - start_ns < LOSS_SOONEST_BACK_NS)
		return false;
	l = loss_of(slot, shape.loss_mask);
	return l && start_ns < l->back_ns;
}

verified_alone __u32 rank_of_duration(__u64 duration_ns)
{
	return native_rank_of_duration(duration_ns);
}

own_frame int count_duration(__u32 slot, __u64 duration_ns)
{
	__u64 *cell = cell_of(slot);
	__u32 bucket;

	if (!cell)
		return 0;
	__sync_fetch_and_add(&cell[CELL_SUM_NS], duration_ns);
	bucket = bucket_find(shape.bounds, shape.n_bounds, duration_ns);
	if (shape.has_native) {
		bucket += rank_of_duration(duration_ns);
		if (bucket >= shape.n_buckets)
			return 0;
	}
	__sync_fetch_and_add(&cell[CELL_BUCKETS + bucket], 1);
	return 0;
}
