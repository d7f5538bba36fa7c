/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who costs too much: which probes are to be shed, and which of the shed are to be tried again.
 * Pure: figures in, decisions out.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"

/* One probe's. {} is that of a probe that has cost nothing yet. */
struct budget {
	uint64_t overhead_ns; /* set before each look: what the probe has cost so far */
	uint64_t seen_ns;     /* the same at the look before */
	double cores;         /* what it cost between the two, per second */
	unsigned n_over;      /* looks in a row at which that was above its limit */
	bool is_shed;
	bool is_of_total; /* shed because all together were above theirs */
	bool has_changed; /* is_shed has, at this look */
	uint64_t changed_ns;
	/* When it was last shed: how long for, and what it cost. */
	unsigned shed_seconds;
	double shed_cores;
	uint64_t n_sheddings;
};

/* All probes'. {} before the first look. */
struct budgets {
	uint64_t looked_ns; /* on the clock of now_ns */
	double cores;       /* of all that are not shed */
	unsigned n_over;
};

/* Whether some budget has changed. Looks too close to the one before are none. */
bool budgets_look(struct budgets *all, struct budget **probes, size_t n,
	const struct overhead *limits, uint64_t now_ns);

/* Why the probe is shed, for the caller to free; NULL: it is not. */
char *budget_reason(const struct budget *b, const struct overhead *limits);

/* Has a shed probe tried again now, as if it had never been shed. */
void budget_forgive(struct budget *b, uint64_t now_ns);
