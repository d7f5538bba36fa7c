/* SPDX-License-Identifier: Apache-2.0 */
/* What a call carries, in the file's words: TYPE SOURCE[OFFSET]... */
#pragma once

#include "config/scan.h"

/* Takes an operand; false (reported) where none comes next. */
bool operand_scan(struct scan *s, struct operand *out);

/* Into a struct operand: a scalar that is one, and nothing else. */
field_read operand_read;

/* Takes a number of the type (of truth values, true or false as well), in order; false (reported)
 * where none comes next. */
bool operand_scan_number(struct scan *s, enum operand_type t, uint64_t *out);

/* "0 to 255"; in arena. */
const char *operand_range(enum operand_type t, struct arena *arena);

const char *operand_type_name(enum operand_type t);

/* The least and greatest number of a type, in order. */
uint64_t operand_least(enum operand_type t);
uint64_t operand_greatest(enum operand_type t);
