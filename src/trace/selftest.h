/* SPDX-License-Identifier: Apache-2.0 */
/* Finding out what this kernel does by doing it, on a function of the exporter's own. */
#pragma once

#include "trace/bank.h"

/* Attaches in this mode to an own function, calls it, and compares every count: 0 when all are
 * right, else why the mode can't be used here. */
int selftest_mode(struct shared *shared, enum attach_mode mode, struct error *e);

/* 0 where the bank's first slot holds so many calls and as many returns, else -EOPNOTSUPP. */
int selftest_compare(const struct bank *b, unsigned n, struct error *e);

/* Where in its own file the program's code at address lies; 0 where that is none of its code. */
uint64_t selftest_own_offset(const void *address);
