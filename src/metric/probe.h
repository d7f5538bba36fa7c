/* SPDX-License-Identifier: Apache-2.0 */
/* The families about each probe: whether it works and what it may have missed. */
#pragma once

#include "metric/state.h"

void probe_families_init(struct metrics *m);
void probe_families_put(struct metrics *m, struct buffer *out);
