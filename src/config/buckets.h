/* SPDX-License-Identifier: Apache-2.0 */
/* Histogram bounds: a list, an exponential or a linear series. */
#pragma once

#include "config/fields.h"

/* Into a struct bounds. */
field_read buckets_read;

/* 1-2-5 from 1us to 10s. */
void buckets_default(struct arena *arena, struct bounds *out);
