// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Counts and times calls. One source for every shape and attach mode: user space sets `shape`
 * before it loads a copy, and the attach cookie of each site is its slot.
 *
 * The entry handler counts, and where the shape times, notes when and at which stack pointer the
 * call began; the return handler finds that frame and adds the time to a bucket. The clock is
 * read last at entry and first at return, so that what is measured is the function and as little
 * of this program as can be.
 */
#include <stdbool.h>

#include "bpf/bucket.h"
#include "bpf/frames.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

const volatile struct shape shape SEC(".rodata.shape");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, CELL_LINE_BYTES); /* this and the next are set before load */
	__uint(max_entries, 1);
} cells SEC(".maps");

/* What the kernel passes as the stack pointer at a return, less that at the entry. */
#if defined(__TARGET_ARCH_x86)
#define RETURN_POPS 8
#else
#define RETURN_POPS 0
#endif

enum { SMALLEST_PAGE = 4096 };

always_inline __u64 *cell_of(__u32 slot)
{
	__u32 shard = bpf_get_smp_processor_id() & (shape.n_shards - 1);
	__u32 index = (slot - shape.base_slot) * shape.n_shards + shard;

	return bpf_map_lookup_elem(&cells, &index);
}

always_inline void count_call(__u32 slot)
{
	__u64 *cell = cell_of(slot);

	if (cell)
		__sync_fetch_and_add(&cell[CELL_CALLS], 1);
}

always_inline void count_missed(__u32 slot)
{
	struct loss *l = loss_of(slot, shape.loss_mask);

	if (l)
		__sync_fetch_and_add(&l->missed, 1);
}

always_inline void count_duration(__u32 slot, __u64 duration_ns)
{
	__u64 *cell = cell_of(slot);
	__u32 bucket;

	if (!cell)
		return;
	__sync_fetch_and_add(&cell[CELL_SUM_NS], duration_ns);
	bucket = bucket_find(shape.bounds, shape.n_bounds, duration_ns);
	__sync_fetch_and_add(&cell[CELL_BUCKETS + bucket], 1);
}

/* Kept out of the stack: a preemptible kernel may share one private BPF stack (HAZARDS 10). */
static const struct thread_calls no_calls;

static __attribute__((noinline)) struct thread_calls *thread_calls_new(__u32 thread)
{
	bpf_map_update_elem(&threads, &thread, &no_calls, BPF_NOEXIST);
	return bpf_map_lookup_elem(&threads, &thread);
}

/* Whether the call at this entry was made by a jump from a function that a uretprobe watches: its
 * return address is then the kernel's trampoline. That lies at the start of a page which nobody
 * can have read before the first return, and begins with a breakpoint, or from 6.11 on x86-64 with
 * push rax, push rcx, push r11, mov. */
always_inline bool is_tail_call(struct pt_regs *ctx)
{
	__u64 return_address = 0, code = 0;

#if defined(__TARGET_ARCH_x86)
	bpf_probe_read_user(&return_address, sizeof(return_address), (void *)PT_REGS_SP(ctx));
#else
	return_address = PT_REGS_RET(ctx);
#endif
	if (return_address & (SMALLEST_PAGE - 1))
		return false;
	if (bpf_probe_read_user(&code, sizeof(code), (void *)return_address))
		return true;
#if defined(__TARGET_ARCH_x86)
	return (code & 0xff) == 0xcc || code == 0x4fc0c74853415150ULL;
#else
	return ((__u32)code & 0xffe0001f) == 0xd4200000;
#endif
}

/* Whether the innermost frames are those of this entry's own trap, made by other probes on the
 * same function: the kernel then has one return instance for all of them. */
always_inline bool shares_trap(struct pt_regs *ctx, struct thread_calls *calls, __u32 slot)
{
	for (__u32 i = 1; i <= CALLS_MAX_FRAMES && i <= calls->depth; i++) {
		struct frame *f = frame_at(calls, calls->depth - i);

		if (f->stack != PT_REGS_SP(ctx) || f->place != (__u32)PT_REGS_IP(ctx))
			return false;
		if ((f->slot & ~FRAME_OPENS_INSTANCE) == slot)
			return false;
		if (f->slot & FRAME_OPENS_INSTANCE)
			return true;
	}
	return false;
}

/* Sorts out the frames at and below the stack pointer of an entry. Returns the flag for the frame
 * to come: FRAME_OPENS_INSTANCE or 0. */
static __attribute__((noinline)) __u32 frames_settle(
	struct pt_regs *ctx, struct thread_calls *calls, __u32 slot)
{
	__u64 stack = PT_REGS_SP(ctx);

	if (!calls)
		return 0;
	frames_abandon_below(calls, stack, shape.loss_mask);
	if (!calls->depth || frame_at(calls, calls->depth - 1)->stack != stack)
		return FRAME_OPENS_INSTANCE;
	if (shares_trap(ctx, calls, slot))
		return 0;
	/* Left by a longjmp, unless a tail call led here: then they are still to return. */
	if (!is_tail_call(ctx))
		frames_abandon_below(calls, stack + 1, shape.loss_mask);
	return FRAME_OPENS_INSTANCE;
}

/* 0 when the return is to be watched, 1 when not: what a session's entry handler answers. */
always_inline int call_begins(struct pt_regs *ctx, __u32 slot)
{
	__u32 thread = (__u32)bpf_get_current_pid_tgid(), opens = FRAME_OPENS_INSTANCE;
	struct thread_calls *calls = bpf_map_lookup_elem(&threads, &thread);
	struct frame *f;

	if (!calls)
		calls = thread_calls_new(thread);
	/* The kernel tests its limit before it drops dead instances; so do we. */
	if (!calls || calls->instances >= CALLS_MAX_INSTANCES) {
		count_missed(slot);
		return 1;
	}
	if (calls->depth && frame_at(calls, calls->depth - 1)->stack <= PT_REGS_SP(ctx))
		opens = frames_settle(ctx, calls, slot);
	if (calls->depth >= CALLS_MAX_FRAMES) {
		count_missed(slot);
		return 1;
	}
	f = frame_at(calls, calls->depth);
	f->stack = PT_REGS_SP(ctx);
	f->slot = slot | opens;
	f->place = (__u32)PT_REGS_IP(ctx);
	calls->depth++;
	if (opens)
		calls->instances++;
	f->start_ns = bpf_ktime_get_ns();
	return 0;
}

/* Finds the frame of a return that is not the innermost, moves it there, and returns 1; 0 when
 * there is none (a call that began before the attach, or in the process that forked). */
static __attribute__((noinline)) int frames_raise(
	struct thread_calls *calls, __u64 stack, __u32 slot)
{
	if (!calls)
		return 0;
	frames_abandon_below(calls, stack, shape.loss_mask);
	for (__u32 i = 1; i <= CALLS_MAX_FRAMES && i <= calls->depth; i++) {
		struct frame *f = frame_at(calls, calls->depth - i), *top, copy;

		if (f->stack != stack)
			return 0;
		if ((f->slot & ~FRAME_OPENS_INSTANCE) != slot)
			continue;
		top = frame_at(calls, calls->depth - 1);
		copy = *f;
		*f = *top;
		*top = copy;
		return 1;
	}
	return 0;
}

always_inline void call_ends(struct pt_regs *ctx, __u32 slot, __u64 now_ns)
{
	__u32 thread = (__u32)bpf_get_current_pid_tgid();
	struct thread_calls *calls = bpf_map_lookup_elem(&threads, &thread);
	__u64 stack = PT_REGS_SP(ctx) - RETURN_POPS, start_ns;
	struct frame *f;

	if (!calls || !calls->depth)
		return;
	f = frame_at(calls, calls->depth - 1);
	if (f->stack != stack || (f->slot & ~FRAME_OPENS_INSTANCE) != slot) {
		if (!frames_raise(calls, stack, slot))
			return;
		f = frame_at(calls, calls->depth - 1);
	}
	start_ns = f->start_ns;
	frames_drop_innermost(calls);
	count_duration(slot, now_ns > start_ns ? now_ns - start_ns : 0);
}

/* Every entry; alone where nothing is timed. */
SEC("uprobe/entry")
int call_entry(struct pt_regs *ctx)
{
	__u32 slot = (__u32)bpf_get_attach_cookie(ctx);

	count_call(slot);
	if (shape.is_timed)
		call_begins(ctx, slot);
	return 0;
}

SEC("uretprobe/return")
int call_return(struct pt_regs *ctx)
{
	__u64 now_ns = bpf_ktime_get_ns();

	call_ends(ctx, (__u32)bpf_get_attach_cookie(ctx), now_ns);
	return 0;
}

/* Entry and return in one. At an entry the instruction pointer is the site's own address. */
SEC("uprobe/session")
int call_session(struct pt_regs *ctx)
{
	__u64 now_ns;
	__u32 slot;

	if (PT_REGS_IP(ctx) == bpf_get_func_ip(ctx)) {
		slot = (__u32)bpf_get_attach_cookie(ctx);
		count_call(slot);
		return call_begins(ctx, slot);
	}
	now_ns = bpf_ktime_get_ns();
	call_ends(ctx, (__u32)bpf_get_attach_cookie(ctx), now_ns);
	return 0;
}
