/* SPDX-License-Identifier: Apache-2.0 */
/* Tells the log what became of each probe, once for each change. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "trace/trace.h"

struct report;

struct report *report_new(void);
void report_free(struct report *r);
DEFINE_CLEANUP(report_free, struct report *)

/* Logs every probe of the plan in force whose state, counts or reason are not as last reported. */
void report_changes(struct report *r, struct trace *t);

/* Logs, once for each path, that files of the plan can't be guarded against writers, and why. */
void report_unguarded(struct report *r, const struct plan *plan);

/* Logs, but not too often, that the durations of so many calls of a process will be missed. */
void report_sweep(struct report *r, uint32_t process, uint32_t n_dropped);

/* Whether a site of the plan last reported could not be attached. */
bool report_has_failures(const struct report *r);
