/* SPDX-License-Identifier: Apache-2.0 */
/* bpftrace, timing a function of this program the usual way, to compare with. */
#pragma once

#include <stdio.h>
#include <sys/types.h>

struct bpftrace {
	pid_t pid;
	FILE *output;
};

/* Starts it on a function of this program, and waits until it is attached. -ENOENT when it is not
 * installed or ended by itself, -ETIMEDOUT; neither leaves anything running. */
int bpftrace_start(struct bpftrace *b, const char *function);

/* Ends it, by SIGINT and in the end SIGKILL, and returns how many calls its histogram holds. */
unsigned long bpftrace_end(struct bpftrace *b);
