/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a probe costs the program that it is in, as measured at start on this machine; pure.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "plan/plan.h"

/* In ns; 0 is not known. */
struct costs {
	uint32_t hit[N_COST_CLASSES]; /* of a site that counts, by the class of its instruction */
	/* What seeing the end of a call adds to the hit at its entry. Of EXIT_BY_EXITS: without the
	 * hit at the exit. */
	uint32_t end[N_EXIT_KINDS];
	/* The duration of a call that takes no time, with an entry of the class floor_class. */
	uint32_t floor[N_EXIT_KINDS];
	enum cost_class floor_class;
	enum cost_class return_class; /* of the instruction that returns */
};

/* A call of a function with such an entry, its end included; exit_class is that of the exits that
 * have sites of their own. 0: not known. */
uint32_t cost_of_call(const struct costs *c, enum cost_class entry, enum exit_kind exit,
	enum cost_class exit_class);

/* The same of a planned site; where its exits differ, as if calls ended at the dearest. */
uint32_t cost_of_site(const struct costs *c, const struct plan_site *s);

/* What a call that takes no time measures. 0: not known, or nothing is timed. */
uint32_t cost_floor(const struct costs *c, enum cost_class entry, enum exit_kind exit);
