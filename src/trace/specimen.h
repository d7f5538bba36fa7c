/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the exporter's own, to probe and to call: they do nothing. */
#pragma once

#include "plan/plan.h"

struct specimen {
	void (*function)(void); /* NULL: none on this machine */
	const char *site;       /* where its entry is probed */
	const char *exit;       /* its one exit */
	enum cost_class cost, exit_cost;
};

/* One whose entry is of the class. */
const struct specimen *specimen_of(enum cost_class c);

/* One of the cheapest class that every kernel emulates, for each way to see calls end. */
const struct specimen *specimen_timed(enum exit_kind e);
