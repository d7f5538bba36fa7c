/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Calls of Go functions. A goroutine goes on in any thread, and its stack is moved where it grows
 * or shrinks, but how far a frame lies from the stack's end stays as it is. So a start is found by
 * the process, the goroutine, that distance and the slot.
 *
 * By Go's own convention for calls a register holds the goroutine, a structure that begins with
 * the two ends of its stack. What is read there is the program's memory: where it can't be read
 * the call is counted and its end is not seen.
 *
 * Structures of goroutines that have ended are used again for others, and a call that a panic or
 * runtime.Goexit has passed leaves its start. It is abandoned when another call takes its place, or
 * with the process; by then it is in flight.
 */
#pragma once

#include "bpf/switched.bpf.h"

enum { GOROUTINE_STACK_END = 8 };

always_inline __u64 goroutine_of(struct pt_regs *ctx)
{
#if defined(__TARGET_ARCH_x86)
	return ctx->r14;
#else
	return ((struct user_pt_regs *)ctx)->regs[28];
#endif
}

/* false where the end of the stack can't be read. */
always_inline bool goroutine_key(struct start_key *key, struct pt_regs *ctx)
{
	__u64 end = 0;

	key->goroutine = goroutine_of(ctx);
	if (bpf_probe_read_user(
		    &end, sizeof(end), (const void *)(key->goroutine + GOROUTINE_STACK_END)))
		return false;
	key->stack = end - key->stack;
	return true;
}

/* An entry's site may be a check of the stack, which is made again once that has grown: only what
 * passes it is a call. */
SEC("uprobe/goroutine")
int call_goroutine(struct pt_regs *ctx)
{
	__u64 now_ns = bpf_ktime_get_ns(), cookie = bpf_get_attach_cookie(ctx);
	struct start_key key = start_key_of(ctx, cookie);
	bool is_known;

	if (!is_heeded(cookie) || !is_meant(ctx, cookie))
		return 0;
	is_known = goroutine_key(&key, ctx);
	if (!(cookie & COOKIE_IS_EXIT))
		switched_begins(ctx, HOW_IS_GO, &key, is_known);
	else if (is_known)
		switched_ends(ctx, HOW_IS_GO, &key, now_ns);
	return 0;
}
