/* SPDX-License-Identifier: Apache-2.0 */
/* From a function to a site: whether its entry can be probed, and how its end can be seen. */
#pragma once

#include "plan/select.h"

/* A site in plan's arena, without a series and a key yet. Never fails: what can't be is refused. */
struct plan_site *site_new(struct plan *plan, const struct function *f);
