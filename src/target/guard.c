// SPDX-License-Identifier: Apache-2.0
/*
 * A lease is asked for with fcntl(2) and only while nobody has the file open for writing. File
 * systems of a server give one only where the server does, and say the same as when there is a
 * writer: there it counts as impossible.
 */
#include "target/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/vfs.h>

#include "base/cleanup.h"

static bool is_remote(int fd)
{
	static const unsigned kinds[] = {
		NFS_SUPER_MAGIC,
		SMB_SUPER_MAGIC,
		SMB2_SUPER_MAGIC,
		CIFS_SUPER_MAGIC,
		CEPH_SUPER_MAGIC,
	};
	struct statfs fs;

	if (fstatfs(fd, &fs))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if ((unsigned)fs.f_type == kinds[i])
			return true;
	return false;
}

enum lease_answer lease_take(int fd, const char **why)
{
	if (!fcntl(fd, F_SETLEASE, F_RDLCK))
		return LEASE_TAKEN;
	if (errno == EAGAIN && !is_remote(fd))
		return LEASE_BUSY;
	*why = errno == EACCES ? "the file is another user's, and the exporter lacks CAP_LEASE"
			       : "its file system gives no leases";
	return LEASE_IMPOSSIBLE;
}

bool lease_is_wanted(int fd)
{
	return fcntl(fd, F_GETLEASE) != F_RDLCK;
}

void lease_give_up(int fd)
{
	fcntl(fd, F_SETLEASE, F_UNLCK);
}

int notify_add(int inotify, int fd)
{
	char path[32];
	int r;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	r = inotify_add_watch(inotify, path, IN_MODIFY | IN_CLOSE_WRITE);
	return r < 0 ? -errno : r;
}
