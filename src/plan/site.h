/* SPDX-License-Identifier: Apache-2.0 */
/* From a function to a site: whether its entry can be probed, and how its end can be seen. */
#pragma once

#include "plan/select.h"

/* A site in plan's arena, without a series and a key yet. Never fails: what can't be is refused. */
struct plan_site *site_new(struct plan *plan, const struct function *f);

/* Takes the end of calls away from a site. */
void site_drop_exit(struct plan_site *s, const char *reason);

/* Whether the probe asks for what only an exit can give. */
bool probe_wants_exit(const struct probe *p);
