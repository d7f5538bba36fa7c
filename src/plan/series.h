/* SPDX-License-Identifier: Apache-2.0 */
/* From a probe's functions to its series and sites. */
#pragma once

#include "plan/select.h"

/* Fills the probe's sites and series from its selections, one for each target; reasons get what
 * is refused. */
void probe_place(struct plan *plan, struct plan_probe *probe, struct selection *const *selections,
	size_t n_selections, struct reasons *reasons);
