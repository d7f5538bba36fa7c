/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Calls under way in programs that switch stacks: there a call may be left standing while others
 * of its thread begin and end, and go on in another thread. But its frame stays where it is, so a
 * start is found by the process, the stack pointer at entry and the slot: no two calls under way
 * of a process have the same. Go's stacks are moved besides: see go.bpf.h.
 *
 * Nothing that happens elsewhere shows that such a call can't return any more. It is abandoned
 * when another begins in its place, or when its process ends or becomes another program. Looking
 * through all starts for those takes long; so it is known how many each process has.
 *
 * A program that leaves ever more of them may not take the room of the others: each process has its
 * share. When most of that is used, user space has the oldest dropped (src/trace/sweep.c).
 */
#pragma once

#include <linux/errno.h>

#include "bpf/frames.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, CALLS_MAX_STARTS);
	__type(key, struct start_key);
	__type(value, struct start);
} starts SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, CALLS_MAX_SWITCHING);
	__type(key, __u32);   /* process id, in the initial pid namespace */
	__type(value, __s64); /* starts that it has open */
} switching SEC(".maps");

/* Not 0: some process has many starts open. Set back by user space. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} crowded SEC(".maps");

/* Not on the BPF stack: see calls.bpf.c. */
static const struct start no_start;
static const __s64 none_open;

always_inline void note_crowded(void)
{
	__u32 zero = 0;
	__u64 *is_crowded = bpf_map_lookup_elem(&crowded, &zero);

	if (is_crowded)
		*is_crowded = 1;
}

/* How many starts a process has open; NULL: there is no room for one more process. */
always_inline __s64 *open_starts_of(const __u32 *process)
{
	__s64 *n_open = bpf_map_lookup_elem(&switching, process);

	if (n_open)
		return n_open;
	bpf_map_update_elem(&switching, process, &none_open, BPF_NOEXIST);
	return bpf_map_lookup_elem(&switching, process);
}

/* Makes room for a start within the process's share. NULL: there is none. */
always_inline struct start *start_new(struct start_key *key, __u32 loss_mask)
{
	__s64 *n_open = open_starts_of(&key->process);
	struct start *left;
	int r;

	if (!n_open)
		return NULL;
	if (*n_open > CALLS_MANY_STARTS)
		note_crowded();
	if (*n_open >= CALLS_MAX_STARTS_OF_ONE) {
		left = bpf_map_lookup_elem(&starts, key);
		if (left)
			count_abandoned(left->taken.series, loss_mask);
		return left;
	}
	/* An int, whatever the helper's type says: before 6.4 the upper half is anything. */
	r = (int)bpf_map_update_elem(&starts, key, &no_start, BPF_NOEXIST);
	left = bpf_map_lookup_elem(&starts, key);
	if (r == -EEXIST && left)
		count_abandoned(left->taken.series, loss_mask);
	else if (!r)
		__sync_fetch_and_add(n_open, 1);
	return left;
}

/* Whether a start was there to be deleted. */
always_inline bool start_delete(struct start_key *key)
{
	__s64 *n_open;

	if (bpf_map_delete_elem(&starts, key))
		return false;
	n_open = bpf_map_lookup_elem(&switching, &key->process);
	if (n_open)
		__sync_fetch_and_add(n_open, -1);
	return true;
}
