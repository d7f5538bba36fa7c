/* SPDX-License-Identifier: Apache-2.0 */
/* Labels whose values calls bring along. */
#pragma once

#include "config/fields.h"

/* Into a struct dynamic_label, but for its name: the mapping {from, values, ranges, otherwise,
 * size}. Whether it is right. */
bool dynamic_read(
	struct reader *r, const char *name, const struct node *value, struct dynamic_label *out);
