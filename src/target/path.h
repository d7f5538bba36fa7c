/* SPDX-License-Identifier: Apache-2.0 */
/* Opening paths of other namespaces, and asking the kernel how it spells one. */
#pragma once

#include <stdbool.h>

/* Opens path, O_PATH, as a process does whose root directory is root_fd: no symlink and no ".."
 * leads out of it, and no link of a /proc below it is followed. -errno. */
int path_open_below(int root_fd, const char *path);

/* The same without openat2(2), which filters of system calls forbid that can't look into it. */
int path_walk_below(int root_fd, const char *path);

/* Opens for reading, without waiting, what path_fd (O_PATH, of a regular file) stands for. -errno.
 */
int path_reopen(int path_fd);

/* What the kernel calls the file, without " (deleted)"; owned by the caller, NULL if it can't. */
char *path_of_descriptor(int fd);

/* Cuts off the " (deleted)" that the kernel puts behind a path that is no name any more; whether
 * it was there. */
bool path_strip_deleted(char *path);
