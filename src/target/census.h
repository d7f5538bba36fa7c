/* SPDX-License-Identifier: Apache-2.0 */
/* The census: which processes run, what program each runs, and which root directory it sees. */
#pragma once

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <uthash.h>

#include "base/error.h"

struct view;

struct process {
	pid_t pid;
	uint64_t id; /* differs when the pid is another process's */
	dev_t exe_device;
	ino_t exe_inode;
	bool exe_has_name; /* false once the program's file was deleted or replaced */
	char *exe_path;    /* as first seen, without " (deleted)"; NULL where unreadable */
	struct view *view;
	struct process *next_in_view;
	unsigned generation;
	UT_hash_handle hh;
};

/* One root directory of one mount namespace, and the processes that share it. A mount belongs to
 * one namespace, so that the mount and the directory on it say which view it is. */
struct view_key {
	uint64_t mount_id, device, inode;
};

struct view {
	struct view_key key;
	struct process *processes; /* linked by next_in_view */
	bool has_nameless;         /* some of them run a file that lost its name */
	UT_hash_handle hh;
};

struct census {
	DIR *proc;
	char *proc_path;
	struct process *processes; /* uthash by pid */
	struct view *views;        /* uthash by key, in order of the lowest pid */
	unsigned generation;
};

int census_init(struct census *c, const char *proc_path, struct error *e);
void census_deinit(struct census *c);

/* Counts again. Kernel threads, zombies and processes that can't be read are left out. */
int census_take(struct census *c, struct error *e);

/* The process if it is still the one counted, or NULL. */
const struct process *census_find(const struct census *c, pid_t pid, uint64_t id);

/* Opens the view's root directory, O_PATH, through a process that still sees it now; *pid says
 * which. -ESRCH when none is left. */
int census_open_root(const struct census *c, const struct view *v, pid_t *pid);
