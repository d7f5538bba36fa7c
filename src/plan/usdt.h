/* SPDX-License-Identifier: Apache-2.0 */
/* What a probe's `usdt` selects in a file, and the sites of that. */
#pragma once

#include "plan/select.h"

bool usdt_is_wanted(const struct probe *p);

/* Fills the functions of a selection whose probe wants USDT points, and tells of those that the
 * file doesn't have. */
void usdt_select(struct selection *s);

/* The site of such a one, as site_new() makes those of functions. */
struct plan_site *usdt_site_new(struct plan *plan, const struct function *f);
