/* SPDX-License-Identifier: Apache-2.0 */
/* Whether this kernel may be trusted with a site on a 5-byte nop: found out by doing it. */
#pragma once

#include <stdbool.h>

#include "trace/bank.h"

/* Puts sites on 5-byte nops of the exporter's own and has forked children run them. true when all
 * went as without; else *why, a static text, says what did not. Forks, so that no other thread
 * may be running. */
bool nop5_try(struct shared *shared, enum attach_mode mode, const char **why);
