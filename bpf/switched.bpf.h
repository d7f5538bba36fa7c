/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Calls that are no thread's, because stacks are switched: by the process and the stack pointer. */
#pragma once

#include "bpf/cells.bpf.h"
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

always_inline void switched_begins(struct start_key *key)
{
	__u64 *start_ns = start_new(key, shape.loss_mask);

	count_call(key->slot);
	if (start_ns)
		*start_ns = bpf_ktime_get_ns();
	else
		count_missed(key->slot);
}

always_inline void switched_ends(struct start_key *key, __u64 now_ns)
{
	__u64 start_ns;

	if (start_take(key, &start_ns))
		count_end(key->slot, start_ns, now_ns);
}

SEC("uprobe/switched")
int call_switched(struct pt_regs *ctx)
{
	__u64 now_ns = bpf_ktime_get_ns(), cookie = bpf_get_attach_cookie(ctx);
	struct start_key key = start_key_of(ctx, cookie);

	if (!is_heeded(cookie))
		return 0;
	if (!(cookie & COOKIE_IS_EXIT))
		switched_begins(&key);
	else if (is_meant(ctx, cookie))
		switched_ends(&key, now_ns);
	return 0;
}
