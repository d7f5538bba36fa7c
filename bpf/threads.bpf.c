// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Ends what a thread leaves open when it ends or becomes another program. Loaded once; owns the
 * maps that all banks share.
 */
#include "bpf/frames.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

const volatile __u32 loss_mask SEC(".rodata.mask");

/* How often a program was started or a process ended: while it stands still, no new process needs
 * to be looked for. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} changes SEC(".maps");

always_inline void note_change(void)
{
	__u32 zero = 0;
	__u64 *n = bpf_map_lookup_elem(&changes, &zero);

	if (n)
		__sync_fetch_and_add(n, 1);
}

always_inline void thread_forget(__u32 thread)
{
	struct thread_calls *calls = thread_calls_find(thread);

	if (!calls)
		return;
	frames_abandon_left(calls, ~0ULL, 0, loss_mask);
	calls->alternate.size = calls->alternate.flags = 0;
	if (calls->thread)
		calls->thread = 0;
	else
		bpf_map_delete_elem(&threads, &thread);
}

SEC("raw_tp/sched_process_exit")
int thread_exit(void *ctx)
{
	__u64 ids = bpf_get_current_pid_tgid();

	(void)ctx;
	thread_forget((__u32)ids);
	if (ids >> 32 == (__u32)ids)
		note_change();
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
	note_change();
	return 0;
}
