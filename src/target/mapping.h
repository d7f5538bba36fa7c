/* SPDX-License-Identifier: Apache-2.0 */
/* Which files processes map as code: the table of executable mappings of a census. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "target/census.h"

struct mapping {
	const struct process *process;
	unsigned long start, end;
	unsigned long offset; /* of start, in the file */
	bool is_writable, is_shared;
	bool is_of_program; /* its path is that of what the process runs */
	dev_t device;       /* as the kernel lists it: on overlayfs and btrfs another than stat's */
	ino_t inode;
	char *deleted_path; /* where the file lost its name: what that was; else NULL */
};

struct target;

/* Valid as long as the census isn't taken again. {} is a valid empty one. */
struct mappings {
	struct mapping *items;
	size_t n, capacity;
	/* One of each file in the midst of which a process runs code from elsewhere. */
	struct mapping *torn;
	size_t n_torn;
};

/* Reads PID/maps of every process: tens of µs each. What can't be read is left out. */
void mappings_read(struct mappings *m, const struct census *c);

/* The same of one process; appends. -errno. */
int mappings_read_process(struct mappings *m, const struct census *c, const struct process *p);
void mappings_deinit(struct mappings *m);

/* Whether the mapping is one of t's file. */
bool mapping_is_of(const struct mapping *m, const struct census *c, const struct target *t);

/* The link to the mapped file, owned by the caller. Following it takes CAP_SYS_ADMIN or
 * CAP_CHECKPOINT_RESTORE. */
char *mapping_path(const struct mapping *m, const struct census *c);
