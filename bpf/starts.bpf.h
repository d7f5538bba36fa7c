/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Calls under way in programs that switch stacks: there a call may be left standing while others
 * of its thread begin and end, and go on in another thread. But its frame stays where it is, so a
 * start is found by the process, the stack pointer at entry and the slot: no two calls under way
 * of a process have the same. Go's stacks are moved besides: see go.bpf.h.
 *
 * Nothing that happens elsewhere shows that such a call can't return any more. It is abandoned
 * when another begins in its place, or when its process ends or becomes another program. Looking
 * through all starts for those takes long; so it is known which processes have had some.
 */
#pragma once

#include <linux/errno.h>

#include "bpf/frames.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, CALLS_MAX_STARTS);
	__type(key, struct start_key);
	__type(value, __u64); /* CLOCK_MONOTONIC */
} starts SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, CALLS_MAX_SWITCHING);
	__type(key, __u32); /* process id, in the initial pid namespace */
	__type(value, __u8);
} switching SEC(".maps");

/* Not on the BPF stack: see calls.bpf.c. */
static const __u64 no_time;
static const __u8 yes = 1;

/* Makes room for a start, where the process is known to have some. NULL: there is none. */
always_inline __u64 *start_new(struct start_key *key, __u32 loss_mask)
{
	if (!bpf_map_lookup_elem(&switching, &key->process) &&
		bpf_map_update_elem(&switching, &key->process, &yes, BPF_ANY))
		return NULL;
	/* An int, whatever the helper's type says: before 6.4 the upper half is anything. */
	if ((int)bpf_map_update_elem(&starts, key, &no_time, BPF_NOEXIST) == -EEXIST)
		count_abandoned(key->slot, loss_mask);
	return bpf_map_lookup_elem(&starts, key);
}

/* Takes a start out. false: there is none (the call began before the attach, in the process that
 * forked, or found no room). */
always_inline bool start_take(struct start_key *key, __u64 *start_ns)
{
	__u64 *found = bpf_map_lookup_elem(&starts, key);

	if (!found)
		return false;
	*start_ns = *found;
	return !bpf_map_delete_elem(&starts, key);
}
