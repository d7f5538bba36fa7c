/* SPDX-License-Identifier: Apache-2.0 */
/* The status page: every probe, its state and reason, in plain HTML that needs no script. */
#pragma once

#include "base/buffer.h"
#include "trace/snapshot.h"

/* Appends the page. All that comes from configuration, files or processes is escaped. */
void page_render(const struct snapshot *s, const char *version, const char *telemetry_path,
	struct buffer *out);
