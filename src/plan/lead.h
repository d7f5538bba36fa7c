/* SPDX-License-Identifier: Apache-2.0 */
/* Where the jump leads with which a function ends. */
#pragma once

#include "plan/select.h"

/* The name of the function at address as nm -C shows it, in a; NULL where none is known. */
const char *lead_name(struct file *f, uint64_t address, struct arena *a);

/* Why a function that does nothing but jump there can't be timed: it ends where it begins. With the
 * name of what can be probed in its place; NULL where no function of the file is known at address.
 * Lives in a, or is static. */
const char *lead_reason(struct file *f, uint64_t address, struct arena *a);
