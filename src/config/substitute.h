/* SPDX-License-Identifier: Apache-2.0 */
/* ${NAME} and ${NAME:-default} in a value, from the environment. */
#pragma once

#include <stdbool.h>

#include "base/buffer.h"
#include "base/error.h"

/* Bytes that a value may have, before and after. */
enum { SUBSTITUTE_MAX = 4096 };

/* Appends text to out with every variable replaced and $$ made $; *replaced says whether there
 * was a variable. -EINVAL with what is wrong in e. */
int substitute(const char *text, struct buffer *out, bool *replaced, struct error *e);
