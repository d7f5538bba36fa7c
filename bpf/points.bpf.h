/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Calls that begin and end at USDT points. Nothing ties an end to its start but the thread: they
 * may lie in different functions, so that no stack pointer tells calls apart. An end belongs to the
 * last start of its slot that has no end yet.
 *
 * An end may never come: a program leaves by an error's way. So where calls do not nest, a start
 * shows that the call before was left; where they do, what is left stays open until its thread
 * ends, or makes room, as the outermost, when too many are open. Either counts as abandoned.
 */
#pragma once

#include "bpf/frames.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, CALLS_MAX_POINT_THREADS);
	__type(key, __u32); /* thread id, in the initial pid namespace */
	__type(value, struct point_calls);
} point_threads SEC(".maps");

/* Not on the BPF stack: see calls.bpf.c. */
static const struct point_calls no_points;

always_inline struct point_start *point_at(struct point_calls *calls, __u32 index)
{
	return &calls->starts[index & (CALLS_MAX_POINTS - 1)];
}

always_inline struct point_calls *point_calls_new(__u32 thread)
{
	bpf_map_update_elem(&point_threads, &thread, &no_points, BPF_NOEXIST);
	return bpf_map_lookup_elem(&point_threads, &thread);
}

/* The index of the slot's innermost call that is open, or -1. */
verified_alone int point_find(struct point_calls *calls, __u32 slot)
{
	for (__u32 i = 1; calls && i <= CALLS_MAX_POINTS && i <= calls->n; i++)
		if (point_at(calls, calls->n - i)->slot == slot)
			return (int)(calls->n - i);
	return -1;
}

/* Takes a call out, with those behind it moving up. */
verified_alone int point_remove(struct point_calls *calls, __u32 index)
{
	if (!calls)
		return 0;
	for (__u32 i = 1; i < CALLS_MAX_POINTS && index + i < calls->n; i++)
		*point_at(calls, index + i - 1) = *point_at(calls, index + i);
	calls->n--;
	return 0;
}

always_inline void point_abandon(struct point_calls *calls, __u32 index, __u32 loss_mask)
{
	count_abandoned(point_at(calls, index)->taken.series, loss_mask);
	point_remove(calls, index);
}

always_inline __u32 epoch_of(__u64 cookie)
{
	return cookie >> COOKIE_EPOCH_SHIFT & COOKIE_EPOCH_MASK;
}

/* Makes room for a call that begins. */
always_inline void point_settle(struct point_calls *calls, __u64 cookie, __u32 loss_mask)
{
	int open = point_find(calls, cookie & COOKIE_SLOT);
	bool stays = cookie & COOKIE_IS_NESTED;

	if (open >= 0 && !(stays && point_at(calls, (__u32)open)->epoch == epoch_of(cookie)))
		point_abandon(calls, (__u32)open, loss_mask);
	else if (calls->n >= CALLS_MAX_POINTS)
		point_abandon(calls, 0, loss_mask);
}

/* The start of a call that begins, but for its time; NULL: no room was left. */
always_inline struct point_start *point_begins(__u64 cookie, __u32 loss_mask)
{
	__u32 thread = (__u32)bpf_get_current_pid_tgid();
	struct point_calls *calls = bpf_map_lookup_elem(&point_threads, &thread);
	struct point_start *start;

	if (!calls)
		calls = point_calls_new(thread);
	if (!calls)
		return NULL;
	point_settle(calls, cookie, loss_mask);
	start = point_at(calls, calls->n);
	start->slot = cookie & COOKIE_SLOT;
	start->epoch = epoch_of(cookie);
	calls->n++;
	return start;
}

/* The start, which is taken out, of a call that has ended; NULL: it was not seen to begin. Its
 * memory stays as it is until the thread's next event. */
always_inline struct point_start *point_ends(__u64 cookie, __u32 loss_mask)
{
	__u32 thread = (__u32)bpf_get_current_pid_tgid();
	struct point_calls *calls = bpf_map_lookup_elem(&point_threads, &thread);
	int open;

	if (!calls)
		return NULL;
	open = point_find(calls, cookie & COOKIE_SLOT);
	if (open < 0)
		return NULL;
	if (point_at(calls, (__u32)open)->epoch != epoch_of(cookie)) {
		point_abandon(calls, (__u32)open, loss_mask);
		return NULL;
	}
	calls->ended = *point_at(calls, (__u32)open);
	point_remove(calls, (__u32)open);
	return &calls->ended;
}

/* Abandons all that a thread has open. */
always_inline void points_forget(__u32 thread, __u32 loss_mask)
{
	struct point_calls *calls = bpf_map_lookup_elem(&point_threads, &thread);

	if (!calls)
		return;
	for (__u32 i = 0; i < CALLS_MAX_POINTS && i < calls->n; i++)
		count_abandoned(point_at(calls, i)->taken.series, loss_mask);
	bpf_map_delete_elem(&point_threads, &thread);
}
