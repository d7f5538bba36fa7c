/* SPDX-License-Identifier: Apache-2.0 */
/* What plans and lists have in common as JSON. Both results are new references. */
#pragma once

#include <jansson.h>

#include "plan/plan.h"

/* Made valid UTF-8; null for NULL. */
json_t *text_json(const char *text);

/* One of sites[] in plan_print.h. */
json_t *site_json(const struct plan_site *s, const char *function);
