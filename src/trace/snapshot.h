/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A snapshot: the cells of all series, read once for one scrape. Reading is plain loads from the
 * mapped arrays: no system call. Returns are read before calls, so that in no snapshot more calls
 * have ended than begun.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/carry.h"
#include "bpf/native.h"
#include "trace/cost.h"
#include "trace/sets.h"
#include "trace/trace.h"

/* Native buckets: how often each has been met, by rank. The sum is that of the other buckets. */
struct native_reading {
	enum native_kind kind;
	const uint64_t *counts; /* native_ranks(kind) of them; NULL: none are kept */
};

/* One of the probe's values. */
struct value_reading {
	uint64_t sum;            /* modulo 2^64 */
	uint64_t count;          /* the sum of buckets */
	const uint64_t *buckets; /* n_bounds + 1 counts, not cumulative; NULL of a counter */
	struct native_reading native;
};

struct series_reading {
	const struct plan_series *series;
	/* The dynamic labels (plan/carry.h says how to read them); NULL: there are none, or those
	 * of all sets past the limit are added up here. */
	const struct label_key *key;
	uint64_t calls;  /* entries; returns where labels or `only` are known there alone */
	uint64_t errors; /* of probes that have a condition for them */
	const struct value_reading *values; /* one for each of the probe's, in its order */
	uint64_t completed;                 /* the sum of buckets */
	uint64_t sum_ns;
	uint64_t missed;    /* returns that the kernel dropped, or that had no room */
	uint64_t abandoned; /* calls that can't return any more: longjmp, thread exit, exec */
	uint32_t floor_ns;  /* what a call that takes no time would measure; 0: not known */
	uint64_t in_flight; /* calls - completed - missed - abandoned; of series that time calls */
	const uint64_t *buckets; /* bounds.n + 1 counts, not cumulative; NULL where not timed */
	struct native_reading native; /* of durations */
};

struct probe_reading {
	const struct plan_probe *probe;
	/* Sites, those on exits too. A function that is refused is one: its exits are not known. */
	size_t n_attached, n_refused, n_failed, n_shed;
	size_t n_by_class[N_COST_CLASSES]; /* of n_attached */
	/* Why it is shed, the first failed site's reason, or why calls are not seen; or NULL. */
	const char *failure;
	uint64_t n_sheddings; /* how often it was taken off for what it cost */
	bool is_up;           /* all that the probe selects is attached, and fires when called */
	uint64_t missed, abandoned; /* over all its series */
	uint64_t overhead_ns;       /* what its calls have cost their programs; never goes down */
	struct series_reading *series; /* those with at least one attached site */
	size_t n_series;
	/* Where labels or `only` are known at the return alone: what is in flight, by the labels
	 * that are known at the entry; of these readings in_flight, missed and abandoned are set,
	 * and not in the others. */
	struct series_reading *under_way;
	size_t n_under_way;
	uint64_t read_faults;     /* what a call carries could not be read */
	uint64_t series_overflow; /* calls that were added up in the series past the limit */
};

/* {} is a valid empty one; taking again uses its memory again. */
struct snapshot {
	const struct plan *plan; /* NULL: none in force yet, and no probes */
	uint64_t generation; /* changes whenever plan does, also where the address is the same */
	struct probe_reading *probes;
	size_t n_probes;
	enum attach_mode mode;
	const struct costs *costs; /* NULL: not known */
	/* private */
	size_t probes_capacity;
	struct sets sets;
	struct series_reading *series_pool;
	struct value_reading *value_pool;
	uint64_t *word_pool; /* buckets and keys */
	size_t series_capacity, value_capacity, word_capacity;
};

/* The caller holds trace_lock(t) from here until it has done with s. */
void snapshot_take(struct snapshot *s, struct trace *t);
void snapshot_deinit(struct snapshot *s);
