/* SPDX-License-Identifier: Apache-2.0 */
/* The families of probes: calls, durations and calls in flight. */
#pragma once

#include "metric/state.h"

/* Escapes the labels of all series and groups the probes by their families' prefix. */
void function_families_init(struct metrics *m);

void function_families_put(struct metrics *m, struct buffer *out);
