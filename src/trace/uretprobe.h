/* SPDX-License-Identifier: Apache-2.0 */
/* Whether this kernel's return probes spare processes that have a seccomp filter. */
#pragma once

#include <stdbool.h>

#include "trace/bank.h"

/* Has a forked child with such a filter call a function that is probed in this mode. Where that
 * can't be tried, the kernel's release decides. Forks, so that no other thread may be running. */
bool uretprobe_try(struct shared *shared, enum attach_mode mode);
