// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Ends what a thread or a process leaves open when it ends or becomes another program. Loaded
 * once; owns the maps that all banks share.
 */
#include "bpf/left.bpf.h"
#include "bpf/points.bpf.h"
#include "bpf/starts.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

const volatile __u32 loss_mask SEC(".rodata.mask");
const volatile struct task_layout task_layout SEC(".rodata.task");

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

	points_forget(thread, loss_mask);
	if (!calls)
		return;
	frames_abandon_left(calls, ~0ULL, 0, loss_mask);
	calls->alternate.size = calls->alternate.flags = 0;
	if (calls->thread)
		calls->thread = 0;
	else
		bpf_map_delete_elem(&threads, &thread);
}

struct bpf_map;

/* Abandons a start if it is the process's. */
static long start_forget(
	struct bpf_map *map, struct start_key *key, const struct start *start, const __u32 *process)
{
	__u32 series = start->taken.series;

	if (key->process == *process && !bpf_map_delete_elem(map, key))
		count_abandoned(series, loss_mask);
	return 0;
}

always_inline void process_forget(__u32 process)
{
	if (!bpf_map_delete_elem(&switching, &process))
		bpf_for_each_map_elem(&starts, start_forget, &process, 0);
}

/* Which starts are to be dropped, and how many were. */
struct dropping {
	__u64 latest_ns;
	__u32 process, n;
};

/* One that has no time yet is being made. */
static long start_drop(
	struct bpf_map *map, struct start_key *key, const struct start *start, struct dropping *d)
{
	struct start_key copy = *key;
	__u32 series = start->taken.series;

	(void)map;
	if (copy.process != d->process || !start->start_ns || start->start_ns > d->latest_ns)
		return 0;
	if (start_delete(&copy)) {
		count_missed_of(series, loss_mask);
		d->n++;
	}
	return 0;
}

/* Run by user space, with (process, time): drops the process's starts up to that time, and returns
 * how many. A call of theirs that ends meanwhile has either its duration or is missed. */
SEC("raw_tp")
int starts_drop(struct bpf_raw_tracepoint_args *ctx)
{
	struct dropping d = {.process = (__u32)ctx->args[0], .latest_ns = ctx->args[1]};

	bpf_for_each_map_elem(&starts, start_drop, &d, 0);
	return (int)d.n;
}

/* Whether the current thread is the last of its process to end. Where the kernel doesn't say, the
 * first one is taken for it. */
always_inline bool is_last_thread(void)
{
	const char *task = (const char *)bpf_get_current_task(), *signal = NULL;
	__u64 ids = bpf_get_current_pid_tgid();
	__u32 n_live = 0;

	if (task_layout.signal == TASK_LAYOUT_UNKNOWN ||
		task_layout.live_threads == TASK_LAYOUT_UNKNOWN ||
		bpf_probe_read_kernel(&signal, sizeof(signal), task + task_layout.signal) ||
		bpf_probe_read_kernel(&n_live, sizeof(n_live), signal + task_layout.live_threads))
		return ids >> 32 == (__u32)ids;
	return !n_live;
}

SEC("raw_tp/sched_process_exit")
int thread_exit(void *ctx)
{
	__u64 ids = bpf_get_current_pid_tgid();

	(void)ctx;
	thread_forget((__u32)ids);
	if (is_last_thread())
		process_forget(ids >> 32);
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
	process_forget(now);
	note_change();
	return 0;
}
