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
#include "bpf/carry.bpf.h"
#include "bpf/go.bpf.h"
#include "bpf/points.bpf.h"
#include "bpf/site.bpf.h"
#include "bpf/switched.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

/* What the kernel passes as the stack pointer at a return, less that at the entry. */
#if defined(__TARGET_ARCH_x86)
#define RETURN_POPS 8
#define LINK_REGISTER(ctx) 0
#else
#define RETURN_POPS 0
#define LINK_REGISTER(ctx) PT_REGS_RET(ctx)
#endif

enum { SMALLEST_PAGE = 4096 };

/* Whether the call at this entry was made by a jump from a function that a uretprobe watches: its
 * return address is then the kernel's trampoline. That lies at the start of a page which nobody
 * can have read before the first return, and begins with a breakpoint, or from 6.11 on x86-64 with
 * push rax, push rcx, push r11, mov. */
always_inline bool is_tail_call(__u64 stack, __u64 link_register)
{
	__u64 return_address = link_register, code = 0;

#if defined(__TARGET_ARCH_x86)
	bpf_probe_read_user(&return_address, sizeof(return_address), (void *)stack);
#else
	(void)stack;
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

/* What an entry needs to know of its site. */
struct entry {
	__u64 stack; /* the stack pointer at the function's first instruction; see struct moment */
	__u64 link_register;
	__u32 slot;
	__u32 place;       /* low half of the function's address */
	bool has_instance; /* the kernel watches the return */
	bool is_go;
};

always_inline struct entry entry_of(struct pt_regs *ctx, __u64 cookie, bool has_instance)
{
	__u32 behind = cookie >> COOKIE_DETAIL_SHIFT & 0xff;

	return (struct entry){
		.stack = carry.is_point ? place_of(cookie)
			 : has_instance ? PT_REGS_SP(ctx)
					: stack_of(ctx, cookie),
		.link_register = LINK_REGISTER(ctx),
		.slot = cookie & COOKIE_SLOT,
		.place = (__u32)PT_REGS_IP(ctx) - behind,
		.has_instance = has_instance,
		.is_go = cookie & COOKIE_IS_GO,
	};
}

always_inline struct moment moment_of(struct pt_regs *ctx, const struct entry *e)
{
	return (struct moment){
		.ctx = ctx,
		.stack = e->stack,
		.slot = e->slot,
		.convention = e->is_go ? CONVENTION_GO : CONVENTION_C,
	};
}

/* The flags of the frame to come, as far as the innermost frames tell: those that are left to set
 * where other probes on the same function have met this very call. All, where none has. */
verified_alone __u32 flags_beside(struct thread_calls *calls, __u64 stack, __u32 place, __u32 slot)
{
	__u32 left = FRAME_HOLDS_INSTANCE;

	for (__u32 i = 1; calls && i <= CALLS_MAX_FRAMES && i <= calls->depth; i++) {
		struct frame *f = frame_at(calls, calls->depth - i);

		if (f->stack != stack || f->place != place || (f->slot & FRAME_SLOT) == slot)
			break;
		left &= ~f->slot;
		if (f->slot & FRAME_OPENS_TRAP)
			return left;
	}
	return FRAME_OPENS_TRAP | FRAME_HOLDS_INSTANCE;
}

/* Sorts out the frames that the entry of a call may show to have been left. Returns the flags of
 * the frame to come. */
verified_alone __u32 frames_settle(
	struct thread_calls *calls, __u64 stack, __u64 link_register, __u32 place, __u32 slot)
{
	__u32 flags = FRAME_OPENS_TRAP | FRAME_HOLDS_INSTANCE;
	__u32 alternate = alternate_flag(calls, stack, shape.task.alternate_stack);

	if (!calls)
		return flags;
	frames_abandon_left(calls, stack, alternate, shape.loss_mask);
	if (!calls->depth || frame_at(calls, calls->depth - 1)->stack != stack)
		return flags | alternate;
	flags = flags_beside(calls, stack, place, slot);
	/* Left by a longjmp, unless a tail call led here: then they are still to return. */
	if (flags & FRAME_OPENS_TRAP && !is_tail_call(stack, link_register))
		frames_abandon_left(calls, stack + 1, alternate, shape.loss_mask);
	return flags | alternate;
}

/* Whether an entry at stack leaves no doubt about the frames that there are: it lies deeper, and
 * nothing says that they are another stack's. */
always_inline bool is_within(struct thread_calls *calls, __u64 stack)
{
	const struct frame *f = frame_at(calls, calls->depth - 1);

	return f->stack > stack && !(f->slot & FRAME_IS_ALTERNATE);
}

/* Whether the kernel will not report the end of the call: it tests its limit before it drops dead
 * instances, and so do we. */
always_inline bool is_too_deep(const struct thread_calls *calls, const struct entry *e)
{
	return e->has_instance && calls->instances >= CALLS_MAX_INSTANCES;
}

/* The frame of a call that begins, or NULL. */
always_inline struct frame *frame_new(struct thread_calls *calls, const struct entry *e)
{
	__u32 flags = FRAME_OPENS_TRAP | FRAME_HOLDS_INSTANCE;
	struct frame *f;

	if (is_too_deep(calls, e))
		return NULL;
	if (!calls->depth && !e->has_instance)
		flags |= alternate_flag(calls, e->stack, shape.task.alternate_stack);
	else if (calls->depth && !is_within(calls, e->stack))
		flags = frames_settle(calls, e->stack, e->link_register, e->place, e->slot);
	if (calls->depth >= CALLS_MAX_FRAMES)
		return NULL;
	if (!e->has_instance)
		flags &= ~FRAME_HOLDS_INSTANCE;
	f = frame_at(calls, calls->depth);
	f->stack = e->stack;
	f->slot = e->slot | flags;
	f->place = e->place;
	calls->depth++;
	if (flags & FRAME_HOLDS_INSTANCE)
		calls->instances++;
	return f;
}

/* 0 when the end of the call is watched, 1 when not: what a session's entry handler answers.
 * is_rejected: it doesn't count, but the kernel reports its end. */
always_inline int call_begins(const struct moment *m, const struct entry *e, bool is_rejected)
{
	struct thread_calls *calls = thread_calls_take();
	struct frame *f = calls ? frame_new(calls, e) : NULL;

	if (!f) {
		if (!is_rejected)
			carry_begin_only(m, true);
		return 1;
	}
	if (is_rejected)
		f->taken.series = SERIES_NONE;
	else
		carry_begin(m, &f->taken);
	f->start_ns = bpf_ktime_get_ns();
	return 0;
}

/* How far from the innermost the frame of a return lies, 0 being the innermost; -1: there is none
 * (a call that began before the attach, or in the process that forked). */
verified_alone int frame_find(struct thread_calls *calls, __u64 stack, __u32 slot)
{
	for (__u32 i = 0; calls && i < CALLS_MAX_FRAMES && i < calls->depth; i++) {
		const struct frame *f = frame_at(calls, calls->depth - 1 - i);

		if (f->stack != stack)
			return -1;
		if ((f->slot & FRAME_SLOT) == slot)
			return (int)i;
	}
	return -1;
}

/* Makes the frame of a return the innermost, where it is not; returns whether there is one. */
verified_alone int frame_raise(struct thread_calls *calls, __u64 stack, __u32 slot)
{
	struct frame *f, *top, copy;
	int distance;

	if (!calls)
		return 0;
	frames_abandon_left(calls, stack, alternate_flag(calls, stack, shape.task.alternate_stack),
		shape.loss_mask);
	distance = frame_find(calls, stack, slot);
	if (distance < 0)
		return 0;
	top = frame_at(calls, calls->depth - 1);
	f = frame_at(calls, calls->depth - 1 - (__u32)distance);
	copy = *f;
	*f = *top;
	*top = copy;
	return 1;
}

always_inline void call_ends(const struct moment *m, __u64 now_ns)
{
	__u32 thread = (__u32)bpf_get_current_pid_tgid();
	struct thread_calls *calls = thread_calls_find(thread);
	struct frame *f;

	if (!calls || !calls->depth)
		return;
	f = frame_at(calls, calls->depth - 1);
	if (f->stack != m->stack || (f->slot & FRAME_SLOT) != m->slot) {
		if (!frame_raise(calls, m->stack, m->slot))
			return;
		f = frame_at(calls, calls->depth - 1);
	}
	/* Its memory stays as it is until the thread's next call begins. */
	frames_drop_innermost(calls);
	count_end(m, &f->taken, f->start_ns, now_ns);
}

/* The end of a call that the kernel watches. */
always_inline void call_returns(struct pt_regs *ctx, __u64 now_ns)
{
	struct moment m = {
		.ctx = ctx,
		.stack = PT_REGS_SP(ctx) - RETURN_POPS,
		.slot = bpf_get_attach_cookie(ctx) & COOKIE_SLOT,
		.is_return = true,
		.convention = CONVENTION_C,
	};

	call_ends(&m, now_ns);
}

/* Every entry; alone where nothing is timed. */
SEC("uprobe/entry")
int call_entry(struct pt_regs *ctx)
{
	__u64 cookie = bpf_get_attach_cookie(ctx);
	struct entry e = entry_of(ctx, cookie, true);
	struct moment m = moment_of(ctx, &e);
	bool is_rejected;

	if (!is_meant(ctx, cookie))
		return 0;
	is_rejected = carry_rejects(&m);
	if (shape.is_timed)
		call_begins(&m, &e, is_rejected);
	else if (!is_rejected)
		carry_begin_only(&m, false);
	return 0;
}

SEC("uretprobe/return")
int call_return(struct pt_regs *ctx)
{
	call_returns(ctx, bpf_ktime_get_ns());
	return 0;
}

/* Entry and return in one. At an entry the instruction pointer is the site's own address. */
SEC("uprobe/session")
int call_session(struct pt_regs *ctx)
{
	if (PT_REGS_IP(ctx) == bpf_get_func_ip(ctx)) {
		struct entry e = entry_of(ctx, bpf_get_attach_cookie(ctx), true);
		struct moment m = moment_of(ctx, &e);

		return carry_rejects(&m) ? 1 : call_begins(&m, &e, false);
	}
	call_returns(ctx, bpf_ktime_get_ns());
	return 0;
}

/* Entries and exits where a site sits on each: at an exit the stack pointer is the entry's. */
SEC("uprobe/exits")
int call_exits(struct pt_regs *ctx)
{
	__u64 now_ns = bpf_ktime_get_ns(), cookie = bpf_get_attach_cookie(ctx);

	if (!is_heeded(cookie))
		return 0;
	if (cookie & COOKIE_IS_EXIT) {
		if (is_meant(ctx, cookie))
			call_ends(&(struct moment){ctx, PT_REGS_SP(ctx), cookie & COOKIE_SLOT, true,
					  CONVENTION_C},
				now_ns);
	} else {
		struct entry e = entry_of(ctx, cookie, false);
		struct moment m = moment_of(ctx, &e);

		call_begins(&m, &e, carry_rejects(&m));
	}
	return 0;
}

/* Starts and ends that are USDT points. */
SEC("uprobe/points")
int call_points(struct pt_regs *ctx)
{
	__u64 now_ns = bpf_ktime_get_ns(), cookie = bpf_get_attach_cookie(ctx);
	struct moment m = {
		.ctx = ctx,
		.stack = place_of(cookie),
		.slot = cookie & COOKIE_SLOT,
		.convention = CONVENTION_C,
	};
	struct point_start *start;

	if (!is_heeded(cookie))
		return 0;
	if (cookie & COOKIE_IS_EXIT) {
		start = point_ends(cookie, shape.loss_mask);
		m.is_return = true;
		if (start)
			count_end(&m, &start->taken, start->start_ns, now_ns);
		return 0;
	}
	if (carry_rejects(&m))
		return 0;
	start = point_begins(cookie, shape.loss_mask);
	if (!start) {
		carry_begin_only(&m, true);
		return 0;
	}
	carry_begin(&m, &start->taken);
	start->start_ns = bpf_ktime_get_ns();
	return 0;
}
