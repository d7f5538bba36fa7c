/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons of what a call carries with a number. */
#pragma once

#include "config/operand.h"

/* Numbers in order, both included; or all others. */
struct range {
	uint64_t low, high;
	bool is_outside;
};

/* Takes a comparison and its number, as it is for numbers of a type; false (reported) where none
 * comes next, or where it holds for all of them, or none. */
bool comparison_scan(struct scan *s, enum operand_type t, struct range *out);

/* Into a struct condition *. */
field_read condition_read;
