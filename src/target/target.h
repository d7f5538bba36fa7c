/* SPDX-License-Identifier: Apache-2.0 */
/* Making and telling targets; what users of targets need is in world.h. */
#pragma once

#include <stdbool.h>
#include <sys/stat.h>

#include "target/world.h"

/* Opens the file behind path_fd (O_PATH, of a regular file that st describes) for reading. */
int target_new(
	struct target **out, int path_fd, const struct stat *st, const char *path, struct error *e);

/* Whether t is the unchanged file that st describes, or that file while it is being written. */
bool target_is(const struct target *t, const struct stat *st);

/* Whether two descriptions on different devices are one file to the kernel; on_overlay: that of
 * st. */
bool target_is_below(const struct target *t, const struct stat *st, bool on_overlay);

bool is_on_overlay(int fd);

/* "a directory", "a FIFO", ...: for what is no regular file. */
const char *file_kind_name(mode_t mode);
