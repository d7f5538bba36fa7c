/* SPDX-License-Identifier: Apache-2.0 */
/* One configured path and the files that it was last found to mean. */
#pragma once

#include <uthash.h>

#include "target/census.h"
#include "target/mapping.h"
#include "target/world.h"

struct found {
	struct target *target; /* a reference */
	pid_t witness;         /* a process that maps the file, which has no name; 0: none known */
	uint64_t witness_id;
	ino_t witness_program; /* what it ran then */
};

struct finds {
	struct found *items;
	size_t n;
};

void finds_append(struct finds *f, const struct found *one); /* takes a reference of its own */
void finds_deinit(struct finds *f);

struct lookup {
	char *path;
	bool is_answered;             /* since the last refresh */
	bool is_known;                /* answered before that */
	struct finds finds, previous; /* previous: only while answering */
	struct error failure;         /* about a file that is there and can't be opened */
	const char *odd;              /* "a directory": what is there instead of a file; or NULL */
	UT_hash_handle hh;
};

struct world {
	struct census census;
	struct mappings mappings; /* read when first needed after a refresh */
	bool has_mappings;
	struct lookup *lookups; /* uthash by path */
	struct watch *watch;    /* NULL: files are looked at only when a refresh comes */
};

/* The executable mappings of all processes, as of the last refresh. */
const struct mappings *world_mappings(struct world *w);

struct lookup *lookup_get(struct world *w, const char *path);
void lookup_forget(struct world *w, struct lookup *l);

/* Fills finds anew. */
void lookup_answer(struct world *w, struct lookup *l);

/* Takes the file behind path_fd (O_PATH) as one that l means, unless it has it already. Returns
 * its entry, or NULL where it is no regular file or can't be opened. */
struct found *lookup_add(
	struct world *w, struct lookup *l, int path_fd, pid_t pid, const char *origin);
