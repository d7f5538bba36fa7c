/* SPDX-License-Identifier: Apache-2.0 */
/* The keys `values`, `ranges` and `otherwise` of a label: names for numbers. */
#pragma once

#include "config/operand.h"

/* What the keys were; NULL where they are not there. */
struct partition_keys {
	const struct node *values, *ranges, *otherwise;
};

/* Makes a partition of numbers of type t. Reports overlaps. */
void partition_read(struct reader *r, const struct partition_keys *keys, enum operand_type t,
	struct partition *out);
