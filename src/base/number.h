/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and durations as text. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

/* Appends value in decimal. */
void number_put_unsigned(struct buffer *b, uint64_t value);

/* Appends the shortest text that reads back as value, in the form that Prometheus's own
 * libraries write: 0.005, 1e-06, 10, 1e+06, +Inf, NaN. */
void number_put_double(struct buffer *b, double value);

/* Appends value_ns in seconds, exactly: 0, 1.5, 0.000000001. */
void number_put_seconds(struct buffer *b, uint64_t value_ns);

/* Reads "250ns", "10us", "5ms", "1.5s", "0.5us" (one unit, decimal fraction allowed).
 * 0 with *out_ns, -EINVAL for another form or a fraction of a nanosecond, -ERANGE past 2^63. */
int number_parse_duration(const char *text, uint64_t *out_ns);
