/* SPDX-License-Identifier: Apache-2.0 */
/* What a call carries, in the file's words: TYPE SOURCE[OFFSET]... */
#pragma once

#include "config/operand_type.h"

/* Takes an operand; false (reported) where none comes next. */
bool operand_scan(struct scan *s, struct operand *out);

/* Whether a text begins as an operand does, with a type and a source. */
bool operand_is_written(const char *text);

/* Into a struct operand: a scalar that is one, and nothing else. */
field_read operand_read;
