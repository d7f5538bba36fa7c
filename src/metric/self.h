/* SPDX-License-Identifier: Apache-2.0 */
/* The families about the exporter as a whole and its process. */
#pragma once

#include "metric/state.h"

void self_families_put(struct metrics *m, const struct self_reading *self, struct buffer *out);
