/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the kernel's side and user space share: the same text compiled on both.
 *
 * Cells. One array map for each bank (all series of one shape). The element of slot s, shard c is
 * number (s - base) * shards + c; it is an array of u64 words, padded to cache lines:
 *     [CELL_CALLS] [CELL_SUM_NS] [CELL_BUCKETS + 0 .. n_buckets - 1]
 * Only calls where the shape does not time. Buckets are one more than bounds, or where native ones
 * are kept, the pieces that native.h tells of. Words only ever grow, by atomic adds: programs at
 * uprobes can be preempted, and a plain increment would lose calls.
 *
 * Words behind the buckets are for what calls carry: see carry.h.
 *
 * Losses. One array for all banks, one element for each slot, found by slot & mask: calls of a
 * timed series that will have no duration. Written rarely, so not sharded.
 *
 * Calls under way. One element for each thread that is or was inside a timed function: a stack
 * of frames, innermost last, kept until the thread ends. A thread's near element is found by the
 * low bits of its id, at the cost of an array lookup instead of a hash's; it belongs to whichever
 * thread came first. The others have theirs in the hash. Where programs switch stacks or move them,
 * the calls under way are not a thread's: see starts.bpf.h and go.bpf.h. Calls that begin and end
 * at USDT points have elements of their own: see points.bpf.h.
 */
#pragma once

#include <linux/types.h>

#include "bpf/carry.h"

enum {
	CELL_CALLS = 0,
	CELL_SUM_NS = 1,
	CELL_BUCKETS = 2,
	CELL_MAX_BOUNDS = 128,
	CELL_LINE_BYTES = 64,
};

enum {
	/* Open frames of one thread. More than the kernel's limit of return instances, because
	 * several probes on one function share an instance. A power of two. */
	CALLS_MAX_FRAMES = 128,
	/* Pending uretprobes of one thread, as in Linux (MAX_URETPROBE_DEPTH): deeper returns are
	 * never reported. */
	CALLS_MAX_INSTANCES = 64,
	/* Near elements: a power of two. */
	CALLS_NEAR_THREADS = 64,
	/* Threads with elements in the hash, which are allocated as they are needed. */
	CALLS_MAX_THREADS = 32768,
	/* Calls of one thread that have begun at USDT points. A power of two. */
	CALLS_MAX_POINTS = 128,
	/* And threads that have some. */
	CALLS_MAX_POINT_THREADS = 16384,
	/* Calls under way on stacks that are switched or moved, of all processes and of one. */
	CALLS_MAX_STARTS = 131072,
	CALLS_MAX_STARTS_OF_ONE = CALLS_MAX_STARTS / 2,
	/* With more of them open a process is crowded, and then all but as many are dropped. */
	CALLS_MANY_STARTS = CALLS_MAX_STARTS_OF_ONE / 4 * 3,
	CALLS_KEPT_STARTS = CALLS_MAX_STARTS_OF_ONE / 2,
	/* Processes that have had some. */
	CALLS_MAX_SWITCHING = 8192,
};

/* The attach cookie of a site: its slot, and what its program must know of the place. */
#define COOKIE_SLOT 0x1fffffffULL
#define COOKIE_DETAIL_SHIFT 32 /* 8 bits: see the next two; of a USDT point, see usdt.h */
#define COOKIE_IS_EXIT (1ULL << 40)
/* The site is on a conditional jump, and counts where the condition that is the detail holds, in
 * the instruction set's code: a call begins or ends there. Another entry's detail is how far behind
 * the function's first byte the site lies. */
#define COOKIE_IS_CONDITIONAL (1ULL << 41)
/* How far the stack pointer is below the entry's at an entry's site, in steps of 8 bytes: 16 bits.
 * 0 where the kernel watches the return, for that it takes the stack as it finds it. */
#define COOKIE_DEPTH_SHIFT 42
/* Of a USDT point, in the depth's place: a number that is another one after each attach. A call
 * that began under another number had its end where nobody looked. */
#define COOKIE_EPOCH_SHIFT COOKIE_DEPTH_SHIFT
#define COOKIE_EPOCH_MASK 0xffff
/* And of a start: another call of the same thread may be open. */
#define COOKIE_IS_NESTED (1ULL << 58)
/* Of a function's entry: it is called by Go's own convention. */
#define COOKIE_IS_GO (1ULL << 59)

/* What waits for a call's end. */
struct taken {
	__u32 series; /* the slot that counts the call, or SERIES_NONE */
	__u32 holds;  /* bits: what is known at the entry of what is added at the end */
	__u64 carried[CARRY_MAX_CARRIED]; /* numbers, see carry.h */
};

/* Of a call that `only` has rejected, and whose end comes all the same. */
#define SERIES_NONE (~0U)

/* In frame.slot, above the slot. Of several probes on one function only the first that a call
 * meets opens the trap, and only it makes the kernel add a return instance. */
#define FRAME_OPENS_TRAP (1U << 31)
#define FRAME_HOLDS_INSTANCE (1U << 30)
/* The call was made on the thread's stack for signal handlers. */
#define FRAME_IS_ALTERNATE (1U << 29)
#define FRAME_SLOT 0x1fffffffU

struct frame {
	__u64 stack;    /* the stack pointer at entry */
	__u64 start_ns; /* CLOCK_MONOTONIC */
	__u32 slot;     /* | FRAME_OPENS_TRAP, FRAME_HOLDS_INSTANCE, FRAME_IS_ALTERNATE */
	__u32 place;    /* low half of the address of the probed function */
	struct taken taken;
};

/* A stack for signal handlers, as sigaltstack(2) has it; of size 0: none. The order is that of
 * task_struct's members. */
struct alternate_stack {
	__u64 base, size;
	__u32 flags;
	__u32 padding;
};

/* The flag with which the kernel forgets the stack for as long as a handler runs on it. */
#define ALTERNATE_IS_FORGOTTEN (1U << 31) /* SS_AUTODISARM */

struct thread_calls {
	__u32 thread; /* whose near element it is; 0: nobody's, or not a near one */
	__u32 padding;
	__u32 depth;     /* frames in use */
	__u32 instances; /* of them, with FRAME_HOLDS_INSTANCE */
	/* Scratch, which would be too much for the BPF stack; and what it last said. */
	struct alternate_stack alternate_now, alternate;
	struct label_key key; /* scratch */
	__u64 behind_key;     /* 0: where the NUL behind the last text of a key goes */
	struct taken spare;   /* scratch: of a call that has no frame */
	struct frame frames[CALLS_MAX_FRAMES];
};

/* A call that has begun at a USDT point. */
struct point_start {
	__u64 start_ns; /* CLOCK_MONOTONIC */
	__u32 slot;
	__u32 epoch; /* of the cookie */
	struct taken taken;
};

/* Those of a thread, innermost last. */
struct point_calls {
	__u32 n;
	__u32 padding;
	struct point_start ended; /* scratch */
	struct point_start starts[CALLS_MAX_POINTS];
};

/* Which call under way a start belongs to, where stacks are switched or moved. */
struct start_key {
	__u64 stack; /* the stack pointer at entry; of a goroutine, how far below the stack's end */
	__u64 goroutine; /* its address, or 0 */
	__u32 process;
	__u32 slot;
};

/* A call under way there: the value of that key. */
struct start {
	__u64 start_ns; /* CLOCK_MONOTONIC; 0: being made */
	struct taken taken;
};

struct loss {
	__u32 slot; /* whose these are; set by user space before the slot is attached */
	/* Not 0: no site of the slot is attached, or the last are being taken off, or the first put
	 * on. What begins now may not be seen to end. Set by user space. */
	__u32 is_off;
	__u64 abandoned; /* can't return any more: longjmp, thread exit, exec */
	__u64 missed;    /* the kernel reports no return (nesting), or no room was left */
	/* When the probe came back after it had been taken off for a while (CLOCK_MONOTONIC), or 0.
	 * Set by user space. */
	__u64 back_ns;
	__u64 read_faults; /* what its calls carry could not be read */
	__u64 overflow;    /* calls whose label set had no slot left, and that this one counts */
};

/* A probe doesn't come back sooner: detaching alone takes longer. */
#define LOSS_SOONEST_BACK_NS 1000000ULL

/* Where things lie in the kernel's structures, in bytes. */
struct task_layout {
	__u32 alternate_stack; /* task_struct: a struct alternate_stack */
	__u32 signal;          /* task_struct: a pointer to signal_struct */
	__u32 live_threads;    /* signal_struct: how many have not begun to end, 32 bits */
	__u32 memory;          /* task_struct: a pointer to mm_struct */
	__u32 program;         /* mm_struct: a pointer to the struct file that it runs */
	__u32 inode;           /* file: a pointer to inode */
	__u32 inode_number;    /* inode: 64 bits */
	__u32 filesystem;      /* inode: a pointer to super_block */
	__u32 device;          /* super_block: 32 bits, the kernel's way of writing it */
	__u32 padding;
};
#define TASK_LAYOUT_UNKNOWN (~0U)

/* Whose numbers processes are known by; device 0: the first one's. */
struct pid_namespace {
	__u64 device, inode;
};

/* The constants of one loaded set of programs; the verifier removes what they turn off. */
struct shape {
	__u64 bounds[CELL_MAX_BOUNDS]; /* inclusive, ascending, ns */
	__u32 n_bounds;
	__u32 n_buckets;
	__u32 has_native;
	__u32 base_slot;
	__u32 n_shards; /* a power of two */
	__u32 loss_mask;
	__u32 is_timed;
	__u32 first_dynamic; /* slots from here on are label sets' */
	struct pid_namespace pids;
	struct task_layout task;
};

_Static_assert(sizeof(struct taken) == 24, "taken");
_Static_assert(sizeof(struct frame) == 48, "frame");
_Static_assert(sizeof(struct alternate_stack) == 24, "alternate_stack");
_Static_assert(sizeof(struct thread_calls) == 96 + 512 + 48 * CALLS_MAX_FRAMES, "thread_calls");
_Static_assert(sizeof(struct point_calls) == 48 + 40 * CALLS_MAX_POINTS, "point_calls");
_Static_assert(sizeof(struct start_key) == 24, "start_key");
_Static_assert(sizeof(struct start) == 32, "start");
_Static_assert(sizeof(struct loss) == 48, "loss");
_Static_assert(sizeof(struct task_layout) == 40, "task_layout");
_Static_assert(sizeof(struct shape) == 8 * CELL_MAX_BOUNDS + 88, "shape");
