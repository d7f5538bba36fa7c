/* SPDX-License-Identifier: Apache-2.0 */
/* What can be probed in a file, function by function. */
#pragma once

#include "plan/plan.h"

/* label: what the function can be called in the configuration. Both arguments are gone
 * when the visit returns. */
typedef void plan_list_visit(const struct plan_site *s, const char *label, void *data);

/* Visits the functions that config's only probe selects in t, by address, each as the site that a
 * plan would have. -ENOENT when there is none; e has a text then, and also where some are found
 * but something is to be said of them. */
int plan_list(const struct config *config, const struct plan_rules *rules, struct target *t,
	plan_list_visit *visit, void *data, struct error *e);
