/* SPDX-License-Identifier: Apache-2.0 */
/* A function that only jumps to another one ends where it begins: there is nothing to be timed. */
#pragma once

#include "plan/select.h"

/* Why that is no exit, with the name of what can be timed in its place; NULL where no function of
 * the file is known at address. Lives in a, or is static. */
const char *lead_reason(struct file *f, uint64_t address, struct arena *a);
