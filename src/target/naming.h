/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names for what the kernel tells by number: the file that a process runs, and control groups.
 * What was found once is kept, for a process that has ended can't be asked any more.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/cleanup.h"

struct naming;

/* proc: where the file system of processes is mounted. */
struct naming *naming_new(const char *proc);
void naming_free(struct naming *n);
DEFINE_CLEANUP(naming_free, struct naming *)

/* The path of a program by the kernel's number of its device and its inode's, as a process has it
 * that runs it; NULL: none was met. Valid as long as n. */
const char *naming_program(struct naming *n, uint64_t device, uint64_t inode);

/* The path of a control group below where they are mounted, by its id; NULL: there is none. Valid
 * until the next call. */
const char *naming_cgroup(struct naming *n, uint64_t id);

/* Looks which programs are run, so that they are known by name when they have ended. */
void naming_look(struct naming *n);

/* Whether no process has that number, or no control group that id. */
bool naming_process_is_gone(const struct naming *n, uint64_t pid);
bool naming_cgroup_is_gone(struct naming *n, uint64_t id);
