/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The calls under way of each thread, and what becomes of those that don't return.
 *
 * Frames are matched to returns by stack pointer and slot, as the kernel itself matches its return
 * instances, so that recursion, threads and several probes on one function need no more. Stacks
 * grow down: a frame deeper than the stack pointer of a later event of the same thread can't
 * return any more (longjmp), and is counted as abandoned.
 */
#pragma once

#include <linux/bpf.h>
#include <linux/ptrace.h>

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bpf/calls.h"

#ifndef NULL
#define NULL ((void *)0)
#endif
#define always_inline static inline __attribute__((always_inline))

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, CALLS_MAX_THREADS);
	__type(key, __u32); /* thread id, in the initial pid namespace */
	__type(value, struct thread_calls);
} threads SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* set before load */
	__type(key, __u32);
	__type(value, struct loss);
} losses SEC(".maps");

always_inline struct loss *loss_of(__u32 slot, __u32 mask)
{
	__u32 index = slot & mask;
	struct loss *l = bpf_map_lookup_elem(&losses, &index);

	return l && l->slot == slot ? l : NULL;
}

always_inline struct frame *frame_at(struct thread_calls *calls, __u32 index)
{
	return &calls->frames[index & (CALLS_MAX_FRAMES - 1)];
}

always_inline void frames_drop_innermost(struct thread_calls *calls)
{
	struct frame *f = frame_at(calls, calls->depth - 1);

	if (f->slot & FRAME_HOLDS_INSTANCE)
		calls->instances--;
	calls->depth--;
}

/* Drops the innermost frames that lie deeper than stack, and counts them as abandoned. */
static __attribute__((noinline)) int frames_abandon_below(
	struct thread_calls *calls, __u64 stack, __u32 loss_mask)
{
	if (!calls)
		return 0;
	for (int i = 0; i < CALLS_MAX_FRAMES; i++) {
		struct frame *f = frame_at(calls, calls->depth - 1);
		struct loss *l;

		if (!calls->depth || f->stack >= stack)
			break;
		l = loss_of(f->slot & FRAME_SLOT, loss_mask);
		if (l)
			__sync_fetch_and_add(&l->abandoned, 1);
		frames_drop_innermost(calls);
	}
	return 0;
}
