/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this room share: everything that is in force. */
#pragma once

#include <pthread.h>
#include <uthash.h>

#include "trace/bank.h"
#include "trace/cost.h"
#include "trace/slot.h"
#include "trace/trace.h"

/* Sites that one bpf(2) call put in place, and that go together. */
struct attachment {
	struct attachment *next;
	struct link_set links;
	struct site **sites;
	size_t n_sites;
};

/* What became of a planned site; found by the plan's key, so it outlives plans. */
struct site {
	UT_hash_handle hh;
	char *key;
	const struct plan_site *planned; /* of the plan in force or the one being applied */
	struct attachment *attachment;   /* NULL: not attached */
	struct target *target;           /* a reference */
	struct slot *slot;
	uint16_t epoch; /* of the last attach, see trace */
	char *failure;  /* why not, or NULL */
	char *blind;    /* why it is attached and some calls pass all the same, or NULL */
	bool is_proven; /* it was looked at since it was attached whether it can fire */
	bool is_removed;
};

/* A slot as a snapshot reads it, see struct slot: what changes there stays here as it was. */
struct view_slot {
	const struct slot *slot;
	uint64_t settled_ns, settled_hits;
	uint32_t call_ns, floor_ns;
};

/* A probe of the plan in force, as a snapshot needs it. Parallel to plan->probes. */
struct view_probe {
	size_t n_attached, n_failed, n_shed;
	uint64_t n_sheddings;
	size_t n_by_class[N_COST_CLASSES]; /* of n_attached */
	char *failure, *blind;             /* the first site's */
	bool is_proven;                    /* all its sites are */
	const struct plan_series **series; /* those with an attached site */
	size_t n_series;
	/* The slots of series, and behind them all others of the probe. */
	struct view_slot *slots;
	size_t n_slots;
	uint64_t retired_ns; /* what slots that are gone have cost */
};

struct view {
	struct view_probe *probes;
	size_t n_probes;
};

/* What a slot has cost so far. */
static inline uint64_t view_slot_overhead_ns(const struct view_slot *v)
{
	return v->settled_ns + (slot_hits(v->slot) - v->settled_hits) * v->call_ns;
}

struct trace {
	enum attach_mode mode;
	struct plan_rules rules;
	struct costs costs;
	const char *nop5_reason; /* why they don't allow 5-byte nops, or NULL */
	struct shared *shared;
	struct slots slots;
	struct budgets budgets;
	struct site *sites; /* by key */
	struct attachment *attachments;
	int64_t n_sets_allowed; /* label sets that there may be, used or not */
	uint16_t epoch;         /* counts attaches, for what calls.h has it for */
	struct link_progress progress;
	pthread_mutex_t lock; /* over the three below */
	uint64_t generation;
	struct plan *plan;
	struct view *view;
};

/* apply.c */
struct site *site_find(const struct trace *t, const char *key);
/* Detaches those for which goes() holds. */
typedef bool attachment_filter(const struct attachment *a, const void *data);
void detach_where(struct trace *t, attachment_filter *goes, const void *data);
/* Attaches all of plan that should be and is not. */
void attach_planned(struct trace *t, const struct plan *plan);
/* Shows what has become of the plan in force. */
void view_renew(struct trace *t);

/* shed.c */
bool probe_is_shed(struct trace *t, const struct plan_probe *p);
/* Has all probes that are shed tried again. */
void forgive_all(struct trace *t);

/* attach.c: why a site is not attached; takes text, NULL: no reason any more. */
void site_set_failure(struct site *s, char *text);
/* Attaches n sites that have slots, or marks them failed. Changes the array. */
void attach_pending(struct trace *t, struct site **pending, size_t n);

/* view.c */
struct view *view_new(struct trace *t, const struct plan *plan);
void view_free(struct view *v);
uint64_t view_probe_overhead_ns(const struct view_probe *v);
