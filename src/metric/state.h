/* SPDX-License-Identifier: Apache-2.0 */
/* What metrics_new() makes ready for the scrapes of one plan. Private to this room. */
#pragma once

#include "base/arena.h"
#include "metric/bounds.h"
#include "metric/family.h"
#include "metric/metrics.h"

enum { N_ATTACH_MODES = ATTACH_PERF + 1 };
enum site_state { SITE_ATTACHED, SITE_REFUSED, SITE_FAILED, SITE_SHED, N_SITE_STATES };

/* A series as it is shown in one scrape. */
struct shown_series {
	const struct label_set *labels, *more; /* the plan's; and what calls brought, or NULL */
	const struct series_reading *reading;
};

struct shown {
	struct shown_series *items;
	size_t n;
};

struct probe_state {
	const struct plan_probe *plan;
	struct label_set labels;               /* probe */
	struct label_set *series;              /* all labels, in plan's order of series */
	const struct histogram_bounds *bounds; /* NULL: not timed */
	struct probe_state *next;              /* of the same function_group */
	bool has_exit[N_EXIT_KINDS];           /* some site to be attached has it */
	const struct carry *carry;             /* where calls bring labels along; or NULL */
	const struct probe_reading *reading;   /* of the scrape under way; NULL: none */
	/* Of that, where calls bring labels along: what counts calls, and has some in flight. */
	struct shown shown, under_way;
};

struct metrics {
	struct arena *arena;
	const struct plan *plan;
	struct probe_state *probes; /* in plan's order */
	size_t n_probes;
	struct bounds_cache bounds;
	struct function_group *groups; /* in the order of their first probes */
	struct value_group *values;    /* likewise */
	const struct carry_names *names;

	/* Labels that are not a probe's own. */
	struct label_set sites[N_SITE_STATES];                /* state */
	struct label_set modes[N_ATTACH_MODES][N_EXIT_KINDS]; /* mode, exit */
	struct label_set classes[N_COST_CLASSES];             /* class */
	struct label_set exits[N_EXIT_KINDS];                 /* exit */
	struct label_set version;

	/* Of the scrape under way, and of the family in it that is being made. */
	enum attach_mode mode;
	const struct costs *costs; /* or NULL */
	struct samples samples;
	struct arena *scratch; /* lives as long as the scrape; see metrics_scratch() */
};

/* The labels of series, which is one of p's. The search starts at *next, behind the one found
 * before: it takes one step as long as readings come in the plan's order. */
const struct label_set *series_labels(
	const struct probe_state *p, const struct plan_series *series, size_t *next);

/* Goes through the series of a probe in the scrape under way. {} is before the first. */
struct shown_cursor {
	size_t at, next;
};

/* is_in_flight: what has calls in flight; else what counts calls. false: there are no more. */
bool shown_next(struct shown_cursor *c, const struct probe_state *p, bool is_in_flight,
	struct shown_series *out);

/* For what one scrape needs. */
struct arena *metrics_scratch(struct metrics *m);

/* Encodes the family that head begins and m->samples are; without samples nothing. */
void metrics_put_family(struct metrics *m, const struct family *head, struct buffer *out);
