/* SPDX-License-Identifier: Apache-2.0 */
/* The families about what probes cost on this machine. */
#pragma once

#include "metric/state.h"

void cost_families_init(struct metrics *m);
/* costs may be NULL: they are not known. */
void cost_families_put(struct metrics *m, const struct costs *costs, struct buffer *out);
