/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that are equal when two plans mean the same. */
#pragma once

#include "plan/plan.h"

const char *series_identity(const struct plan_series *s, struct arena *a);
const char *site_key(const struct plan_site *s, struct arena *a);
