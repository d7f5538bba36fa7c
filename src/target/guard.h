/* SPDX-License-Identifier: Apache-2.0 */
/* One file's guard: a lease, or notifications. */
#pragma once

#include <stdbool.h>

enum lease_answer {
	LEASE_TAKEN,
	LEASE_BUSY,       /* someone has the file open for writing */
	LEASE_IMPOSSIBLE, /* *why, a text, says why */
};

/* Takes a lease on the file behind fd, which is open for reading only. */
enum lease_answer lease_take(int fd, const char **why);

/* Whether someone waits for the lease to be given up, or the kernel has broken it by now. */
bool lease_is_wanted(int fd);

void lease_give_up(int fd);

/* Has changes of the file told through the inotify descriptor. Its watch descriptor, which is the
 * same for all descriptors of one file; or -errno. */
int notify_add(int inotify, int fd);
