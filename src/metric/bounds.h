/* SPDX-License-Identifier: Apache-2.0 */
/* Histogram bounds with their `le` texts, made once for all probes that have the same. */
#pragma once

#include "base/arena.h"
#include "metric/family.h"

/* {} is a valid empty one; all it gives out lives in the arena. */
struct bounds_cache {
	struct bounds_cache_entry *entries;
};

/* Equal bounds, the same result. Borrows b. */
const struct histogram_bounds *bounds_cache_get(
	struct bounds_cache *c, const struct bounds *b, struct arena *a);

/* Those of a value that calls carry. */
const struct histogram_bounds *bounds_of_value(const struct value *v, struct arena *a);
