/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Calls that are no thread's, because stacks are switched: by the process and the stack pointer. */
#pragma once

#include "bpf/carry.bpf.h"
#include "bpf/site.bpf.h"
#include "bpf/starts.bpf.h"

always_inline struct start_key start_key_of(struct pt_regs *ctx, __u64 cookie)
{
	return (struct start_key){
		.stack = stack_of(ctx, cookie),
		.process = bpf_get_current_pid_tgid() >> 32,
		.slot = cookie & COOKIE_SLOT,
	};
}

/* What was left in the place of a call that is not counted is not to have its end. */
always_inline void switched_abandons(struct start_key *key)
{
	const struct start *left = bpf_map_lookup_elem(&starts, key);
	__u32 slot;

	if (!left)
		return;
	slot = left->taken.series;
	if (start_delete(key))
		count_abandoned(slot, shape.loss_mask);
}

/* is_known: the key tells the call from others. */
own_frame int switched_begins(struct pt_regs *ctx, __u32 how, struct start_key *key, bool is_known)
{
	const struct moment m = moment_from(ctx, key->stack, key->slot, how);
	struct start *start;

	if (carry_rejects(&m)) {
		if (is_known)
			switched_abandons(key);
		return 0;
	}
	start = is_known ? start_new(key, shape.loss_mask) : NULL;
	if (!start) {
		carry_begin_only(&m, true);
		return 0;
	}
	carry_begin(&m, &start->taken);
	start->start_ns = bpf_ktime_get_ns();
	return 0;
}

/* Once a start is out of the map its memory may be another's: what its end needs is copied, to
 * where there is room; without any the call stays under way. */
own_frame int switched_ends(struct pt_regs *ctx, __u32 how, struct start_key *key, __u64 now_ns)
{
	const struct moment m = moment_from(ctx, key->stack, key->slot, how | HOW_IS_RETURN);
	const struct start *start = bpf_map_lookup_elem(&starts, key);
	struct thread_calls *calls;
	__u64 start_ns;

	if (!start)
		return 0;
	start_ns = start->start_ns;
	calls = carry.is_used ? thread_calls_take() : NULL;
	if (calls)
		calls->spare = start->taken;
	else if (carry.is_used)
		return 0;
	if (start_delete(key))
		count_end(&m, calls ? &calls->spare : NULL, start_ns, now_ns);
	return 0;
}

SEC("uprobe/switched")
int call_switched(struct pt_regs *ctx)
{
	__u64 now_ns = bpf_ktime_get_ns(), cookie = bpf_get_attach_cookie(ctx);
	struct start_key key = start_key_of(ctx, cookie);

	if (!is_heeded(cookie))
		return 0;
	if (!(cookie & COOKIE_IS_EXIT))
		switched_begins(ctx, 0, &key, true);
	else if (is_meant(ctx, cookie))
		switched_ends(ctx, 0, &key, now_ns);
	return 0;
}
