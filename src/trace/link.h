/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Putting programs on addresses of a file, in each of the three ways, and taking them off.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "trace/trace.h"

/* enum bpf_attach_type of kernels from 6.6 and 6.13 on; Debian 12's headers lack them. */
enum { LINK_UPROBE_MULTI = 48, LINK_UPROBE_SESSION = 57 };

/* Which programs go where; -1 for none. session_program sees entries and returns, and takes the
 * place of the other two. */
struct link_programs {
	enum attach_mode mode;
	int entry_program, return_program, session_program;
};

/* The descriptors that hold sites in place. */
struct link_set {
	int *fds;
	size_t n, capacity;
	bool is_perf; /* the kernel closes one at a time */
};

/* Where programs go: offsets in a file, each with its attach cookie. semaphores has for each the
 * offset of a USDT point's semaphore, which the kernel counts up in every process that maps the
 * file for as long as the link lives, or 0; NULL: none has one. only_in is the one process, of one
 * thread, whose calls are seen; 0: any. */
struct link_places {
	const uint64_t *offsets, *cookies, *semaphores;
	size_t n;
	pid_t only_in;
};

/* Attaches to places of the file that path names to the kernel, all or none. -errno of the kernel
 * with a text. */
int link_attach(struct link_set *out, const struct link_programs *programs, const char *path,
	const struct link_places *places, struct error *e);

/* Moves what from holds to the end of to. */
void link_set_move(struct link_set *to, struct link_set *from);

/* Told now and then, where closing takes long, how many links are left. */
struct link_progress {
	void (*tell)(size_t n_left, void *data); /* NULL: nobody listens */
	void *data;
};

/* Closes the links, many at a time; blocks until the kernel is done. The set is empty afterwards.
 * progress may be NULL. */
void link_detach(struct link_set *set, const struct link_progress *progress);
