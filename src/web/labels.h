/* SPDX-License-Identifier: Apache-2.0 */
/* The labels that calls bring along, as the status page shows them. */
#pragma once

#include "base/buffer.h"
#include "trace/snapshot.h"

/* Appends `name=value name=value` for a reading of a probe that has such labels; names of programs
 * and control groups are left to the metrics. */
void labels_put(struct buffer *out, const struct series_reading *r, const struct carry *carry);
