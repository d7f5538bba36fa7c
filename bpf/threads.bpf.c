// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Ends what a thread leaves open when it ends or becomes another program. Loaded once; owns the
 * maps that all banks share.
 */
#include "bpf/frames.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

const volatile __u32 loss_mask SEC(".rodata.mask");

always_inline void thread_forget(__u32 thread)
{
	struct thread_calls *calls = bpf_map_lookup_elem(&threads, &thread);

	if (!calls)
		return;
	frames_abandon_below(calls, ~0ULL, loss_mask);
	bpf_map_delete_elem(&threads, &thread);
}

SEC("raw_tp/sched_process_exit")
int thread_exit(void *ctx)
{
	(void)ctx;
	thread_forget((__u32)bpf_get_current_pid_tgid());
	return 0;
}

/* (task, the thread id before exec, binary): exec gives the caller its leader's id. */
SEC("raw_tp/sched_process_exec")
int thread_exec(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 now = (__u32)bpf_get_current_pid_tgid(), before = (__u32)ctx->args[1];

	thread_forget(now);
	if (before != now)
		thread_forget(before);
	return 0;
}
