/* SPDX-License-Identifier: Apache-2.0 */
/* Histogram bounds that are whole numbers. */
#pragma once

#include "config/operand.h"

/* Reads a list, or an exponential or linear series, of numbers of type t, ascending and in order.
 * value NULL: the powers of 4 from 1 to 4^15, as far as the type has them. */
void numbers_read(struct reader *r, const char *key, const struct node *value, enum operand_type t,
	uint64_t **out, size_t *n);
