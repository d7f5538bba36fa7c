/* SPDX-License-Identifier: Apache-2.0 */
/* Labels whose values calls bring along. */
#pragma once

#include "config/fields.h"

/* Into a struct dynamic_label, but for its name: the mapping {from, values, ranges, otherwise,
 * size}. Whether it is right. */
bool dynamic_read(
	struct reader *r, const char *name, const struct node *value, struct dynamic_label *out);

/* Where the values come from, in the file's words: an operand, or a word for something of the
 * process.
 */
const char *dynamic_source(const struct dynamic_label *l);
