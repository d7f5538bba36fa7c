/* SPDX-License-Identifier: Apache-2.0 */
/* What the exporter's own process uses, for the process_* families. */
#pragma once

#include "metric/metrics.h"

/* Fills cpu_seconds and all behind it from /proc/self. The start time is read only where it is 0
 * in s: it never changes, and reading it makes the kernel add up every CPU's statistics.
 * 0 or -errno. */
int process_read(struct self_reading *s);
