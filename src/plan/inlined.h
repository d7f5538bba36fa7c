/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of where the compiler inlined a file's functions; kept with its target. */
#pragma once

#include "plan/select.h"

/* After the requests have chosen: finds out what isn't known of the functions that they chose and
 * of the names that they miss, or has that done by a process in the background; and notes why
 * something can't be.
 */
void inlined_want(struct file *f);

/* Of the function at an address; {} where it isn't known (yet). Its text lives in a. */
struct plan_inlined inlined_at(const struct target *t, uint64_t address, struct arena *a);

/* Of functions of that name, of which there is nothing else. name may be NULL. */
struct plan_inlined inlined_named(const struct target *t, const char *name, struct arena *a);

/* Waits so long for what was wanted; whether there is news. What takes longer is given up if
 * is_last. */
bool inlined_await(struct target *t, int timeout_ms, bool is_last);
