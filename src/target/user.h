/* SPDX-License-Identifier: Apache-2.0 */
/* Which processes have a target's code in their memory, and where. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "target/world.h"

struct user_range {
	uint64_t start, end; /* addresses */
	uint64_t offset;     /* of start, in the file */
	bool is_writable, is_shared;
};

struct user {
	pid_t pid;
	bool is_program;           /* it is what the process runs, not a library of it */
	struct user_range *ranges; /* of the file, executable */
	size_t n_ranges;
	int memory_fd; /* to read the process's memory at its addresses */
};

/* is_last: the visit's result is not asked for. Else true means: look at this process again. A
 * process may just be starting a program, or ending. */
typedef bool user_visit(const struct user *u, bool is_last, void *data);

/* Visits the processes that run or map t as of the last refresh, as they are now. Those that can't
 * be looked into are left out. */
void users_visit(struct world *w, const struct target *t, user_visit *visit, void *data);
