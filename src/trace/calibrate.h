/* SPDX-License-Identifier: Apache-2.0 */
/* Measuring what probes cost here, on functions of the exporter's own. */
#pragma once

#include "trace/bank.h"
#include "trace/cost.h"

/* Takes some 20 ms, and in perf mode the second that the kernel wants for letting go. Classes that
 * rules forbid, and that the machine hasn't, stay unknown. -errno where nothing could be measured.
 */
int calibrate(struct costs *out, struct shared *shared, enum attach_mode mode,
	const struct plan_rules *rules, struct error *e);
