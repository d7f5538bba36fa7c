/* SPDX-License-Identifier: Apache-2.0 */
/* The ways of probing that bench_cost compares, each on a function of its own. */
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "bpftrace.h"
#include "trace/bank.h"

enum variant {
	BARE,
	EMPTY_ENTRY,
	EMPTY_PAIR,
	EMPTY_SESSION,
	ONLY_CALLS,
	SESSION,
	MULTI,
	PERF,
	BPFTRACE,
	FINE, /* with bounds fine enough to tell how long an empty call seems */
	/* The first instruction is one that the kernel single-steps, and a push comes after it. */
	STEPPED,
	BPFTRACE_STEPPED,
	MOVED_ENDBR,
	MOVED_MOV,
	MOVED_XOR,
	MOVED_TEST,
	MOVED_LEA,
	/* A site on the entry, and one on the only exit, a jump. */
	EMPTY_EXITS,
	EXITS,
	SWITCHED,
	GOROUTINES,
	/* What calls carry. */
	LABEL_OF_NUMBER,
	LABEL_OF_PROCESS,
	LABEL_OF_TEXT,
	REJECTED,
	TWICE, /* two probes on the function */
	N_VARIANTS,
};

/* Slots that a variant may take. */
enum { VARIANT_SLOTS = 8 };

enum { N_FINE_BOUNDS = CELL_MAX_BOUNDS, FINE_STEP_NS = 20 };

/* A variant in place, or why it is not. */
struct probing {
	bool is_attached;
	struct error missing;
	struct bank *bank; /* NULL: not one of ours */
	struct link_set links;
	struct bpftrace bpftrace;
};

const char *variant_name(enum variant v);

/* The function to call: nothing but the instructions that are probed, and with what calls carry. */
typedef void variant_call(const char *text, unsigned long number);
variant_call *variant_function(enum variant v);

void variants_attach(struct probing *probings, struct shared *shared);

/* Detaches all. Every variant must then have counted n_calls calls, and as many durations: a probe
 * that loses calls is no cheap probe. Banks stay. */
void variants_detach(struct probing *probings, uint64_t n_calls);
