/* SPDX-License-Identifier: Apache-2.0 */
/* The types of operands: their names, and which numbers each has. */
#pragma once

#include "config/scan.h"

/* All names, and which of them the word may have been meant for. */
const char *operand_type_names(const struct scan *s, const char *word);

/* Takes a type's name; false (reported) where none comes next. */
bool operand_type_scan(struct scan *s, enum operand_type *out);

/* Takes a number of the type (of truth values, true or false as well), in order; false (reported)
 * where none comes next. */
bool operand_scan_number(struct scan *s, enum operand_type t, uint64_t *out);

/* "0 to 255"; in arena. */
const char *operand_range(enum operand_type t, struct arena *arena);

const char *operand_type_name(enum operand_type t);

/* The least and greatest number of a type, in order. */
uint64_t operand_least(enum operand_type t);
uint64_t operand_greatest(enum operand_type t);
