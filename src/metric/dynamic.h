/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The series of probes whose calls bring labels along: for one scrape, each reading with its label
 * set as it reads in the end. Readings whose sets read the same are added up into one.
 */
#pragma once

#include "metric/state.h"

/* Makes ready to tell label sets of p's readings. */
void dynamic_init(struct probe_state *p, struct arena *a);

/* Fills p->shown and p->under_way from the readings; all lives in a until the scrape is done. */
void dynamic_show(struct probe_state *p, const struct carry_names *names, struct arena *a);
