/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The calls under way of each thread, and what becomes of those that don't return.
 *
 * Frames are matched to returns by stack pointer and slot, as the kernel itself matches its return
 * instances, so that recursion, threads and several probes on one function need no more. Stacks
 * grow down: a frame deeper than the stack pointer of a later event of the same thread can't
 * return any more (longjmp), and is counted as abandoned.
 *
 * But a thread may have a second stack, which signal handlers run on (sigaltstack). What runs
 * there leaves the frames of the first alone, wherever the two lie. What runs on the first again
 * shows that the handler has ended: what it left open can't return. Only where a frame would be
 * abandoned, and at outermost calls, does it matter which of the two an event is on: then the
 * kernel is asked, which keeps the bounds of the second stack in task_struct.
 */
#pragma once

#include <stdbool.h>

#include <linux/bpf.h>
#include <linux/ptrace.h>

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bpf/calls.h"

#ifndef NULL
#define NULL ((void *)0)
#endif
#define always_inline static inline __attribute__((always_inline))

/* Not static: the verifier then looks at the function once, for any arguments, and not again on
 * each path that leads to it. Loops are in such functions alone: loading takes a tenth as long. */
#define verified_alone __attribute__((noinline))

/* A function with a stack frame of its own, so that none gets large. The verifier looks at it anew
 * for each call, and knows what is constant there. */
#define own_frame static __attribute__((noinline))

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, CALLS_MAX_THREADS);
	__type(key, __u32); /* thread id, in the initial pid namespace */
	__type(value, struct thread_calls);
} threads SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, CALLS_NEAR_THREADS);
	__type(key, __u32); /* the thread id's low bits */
	__type(value, struct thread_calls);
} near_threads SEC(".maps");

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

always_inline void count_abandoned(__u32 slot, __u32 mask)
{
	struct loss *l = loss_of(slot, mask);

	if (l)
		__sync_fetch_and_add(&l->abandoned, 1);
}

always_inline void count_missed_of(__u32 slot, __u32 mask)
{
	struct loss *l = loss_of(slot, mask);

	if (l)
		__sync_fetch_and_add(&l->missed, 1);
}

/* The near element that a thread would have: its own, another's or nobody's. */
always_inline struct thread_calls *near_element(__u32 thread)
{
	__u32 index = thread & (CALLS_NEAR_THREADS - 1);

	return bpf_map_lookup_elem(&near_threads, &index);
}

/* The calls of a thread, or NULL. */
always_inline struct thread_calls *thread_calls_find(__u32 thread)
{
	struct thread_calls *near = near_element(thread);

	if (near && near->thread == thread)
		return near;
	return bpf_map_lookup_elem(&threads, &thread);
}

/* Kept out of the stack: a preemptible kernel may share one private BPF stack (HAZARDS 10). */
static const struct thread_calls no_calls;

static __attribute__((noinline)) struct thread_calls *thread_calls_new(__u32 thread)
{
	struct thread_calls *near = near_element(thread);

	if (near && !__sync_val_compare_and_swap(&near->thread, 0, thread))
		return near;
	bpf_map_update_elem(&threads, &thread, &no_calls, BPF_NOEXIST);
	return bpf_map_lookup_elem(&threads, &thread);
}

/* Those of the current thread, made where there are none; or NULL. */
always_inline struct thread_calls *thread_calls_take(void)
{
	__u32 thread = (__u32)bpf_get_current_pid_tgid();
	struct thread_calls *calls = thread_calls_find(thread);

	return calls ? calls : thread_calls_new(thread);
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

/* Drops the innermost frame, and counts it as abandoned. */
verified_alone int frame_abandon(struct thread_calls *calls, __u32 loss_mask)
{
	if (!calls)
		return 0;
	count_abandoned(frame_at(calls, calls->depth - 1)->taken.series, loss_mask);
	frames_drop_innermost(calls);
	return 0;
}

/* Finds out where the thread's stack for signal handlers lies. */
always_inline void alternate_stack_update(struct thread_calls *calls, __u32 offset)
{
	const char *task = (const char *)bpf_get_current_task();

	if (bpf_probe_read_kernel(
		    &calls->alternate_now, sizeof(calls->alternate_now), task + offset))
		return;
	if (calls->alternate_now.size || !(calls->alternate.flags & ALTERNATE_IS_FORGOTTEN))
		calls->alternate = calls->alternate_now;
}

/* The kernel takes the base for outside, and the very end, where the stack is empty, for inside. */
always_inline bool is_alternate(const struct thread_calls *calls, __u64 stack)
{
	return stack - calls->alternate.base - 1 < calls->alternate.size;
}

/* FRAME_IS_ALTERNATE if an event of the current thread at stack is on its stack for signal
 * handlers, else 0. */
verified_alone __u32 alternate_flag(struct thread_calls *calls, __u64 stack, __u32 offset)
{
	if (!calls || offset == TASK_LAYOUT_UNKNOWN)
		return 0;
	alternate_stack_update(calls, offset);
	return is_alternate(calls, stack) ? FRAME_IS_ALTERNATE : 0;
}

/* Whether an event at stack, with that alternate_flag(), shows that the innermost frame has been
 * left. */
always_inline bool is_innermost_left(struct thread_calls *calls, __u64 stack, __u32 alternate)
{
	const struct frame *f = frame_at(calls, calls->depth - 1);
	bool its = f->slot & FRAME_IS_ALTERNATE || is_alternate(calls, f->stack);

	return its == !!alternate ? f->stack < stack : its;
}

/* Abandons the innermost frames that such an event shows to have been left. */
verified_alone int frames_abandon_left(
	struct thread_calls *calls, __u64 stack, __u32 alternate, __u32 loss_mask)
{
	if (!calls)
		return 0;
	for (int i = 0; i < CALLS_MAX_FRAMES; i++) {
		if (!calls->depth || !is_innermost_left(calls, stack, alternate))
			break;
		frame_abandon(calls, loss_mask);
	}
	return 0;
}
