/* SPDX-License-Identifier: Apache-2.0 */
/* Where debug files are installed. */
#pragma once

#include <stdbool.h>

#include "target/world.h"

/* By what a program's debug file is looked for; NULL: not by that. */
struct debug_names {
	const char *build_id; /* in hexadecimal */
	const char *link;     /* a name without a directory */
};

/* A file that may be it. */
struct debug_candidate {
	int fd; /* whose is it who takes it; else it is closed */
	const char *path;
	bool is_own; /* found in the exporter's own view, not in that of t's process */
};

/* Whether this is it. */
typedef bool debug_accepts(const struct debug_candidate *c, void *data);

/* Offers the regular files at the usual places, in the view that t was found in and in the
 * exporter's own, until one is accepted; whether one was. */
bool debug_files_offer(const struct target *t, const struct debug_names *names,
	debug_accepts *accepts, void *data);
