/* SPDX-License-Identifier: Apache-2.0 */
/* The families of numbers that calls carry. */
#pragma once

#include "metric/state.h"

void value_families_init(struct metrics *m);
void value_families_put(struct metrics *m, struct buffer *out);
