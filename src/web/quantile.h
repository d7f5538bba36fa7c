/* SPDX-License-Identifier: Apache-2.0 */
/* What a histogram lets one guess, and durations as people read them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "config/config.h"

/* The q-quantile (0 < q < 1) in ns, found as histogram_quantile() does: values are taken to lie
 * evenly between a bucket's bounds. False when there is no value, or when the quantile lies past
 * the last bound. */
bool quantile_estimate(
	const uint64_t *buckets, const struct bounds *bounds, double q, double *out_ns);

/* Three significant digits and a unit: 850 ns, 1.23 µs, 45.6 ms, 7.00 s, 12345 s. */
void quantile_put_duration(struct buffer *out, double ns);
