/* SPDX-License-Identifier: Apache-2.0 */
/*
 * snapshot -> families -> text. Pure: same input, same bytes.
 *
 * A `struct metrics` belongs to one plan: label text is escaped and families are grouped once,
 * when the plan comes into force; a scrape then copies text and formats numbers.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "plan/carry.h"
#include "plan/plan.h"
#include "trace/snapshot.h"

/* What the exporter says of itself in one scrape. */
struct self_reading {
	const char *version;
	uint32_t series_limit;
	bool last_reload_successful;
	double last_reload_success_seconds; /* Unix time */
	double scrape_seconds;              /* how long the last scrape took; 0 before the first */
	/* process_*, from /proc/self; see metric/process.h */
	bool has_process; /* that could be read for this scrape */
	double cpu_seconds, start_time_seconds;
	uint64_t open_fds, max_fds, resident_bytes, virtual_bytes, virtual_max_bytes;
};

struct metrics;

/* Borrows plan (NULL: none is in force; only the exporter's own families) and names (NULL: none are
 * known). */
void metrics_new(struct metrics **out, const struct plan *plan, const struct carry_names *names);
void metrics_free(struct metrics *m);
DEFINE_CLEANUP(metrics_free, struct metrics *)

/* Appends the whole exposition in the text format 0.0.4. s must be of m's plan. */
void metrics_render_text(struct metrics *m, const struct snapshot *s,
	const struct self_reading *self, struct buffer *out);
