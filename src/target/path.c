// SPDX-License-Identifier: Apache-2.0
#include "target/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/memory.h"

int path_open_below(int root_fd, const char *path)
{
	const struct open_how how = {
		.flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	long fd = syscall(SYS_openat2, root_fd, path, &how, sizeof(how));

	/* systemd's RestrictSUIDSGID=, which DynamicUser= brings, has the first; the second is what
	 * filters give that are older than the call. The last comes where something anywhere was
	 * renamed or mounted while a ".." was passed. */
	if (fd < 0 && (errno == ENOSYS || errno == EPERM || errno == EAGAIN))
		return path_walk_below(root_fd, path);
	return fd < 0 ? -errno : (int)fd;
}

int path_reopen(int path_fd)
{
	char link[32];
	int fd;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", path_fd);
	fd = open(link, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

char *path_of_descriptor(int fd)
{
	char link[32], path[PATH_MAX];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	if (n <= 0)
		return NULL;
	path[n] = '\0';
	path_strip_deleted(path);
	return memory_strdup(path);
}

bool path_strip_deleted(char *path)
{
	static const char tail[] = " (deleted)";
	size_t n = strlen(path), n_tail = strlen(tail);

	if (n <= n_tail || strcmp(path + n - n_tail, tail) != 0)
		return false;
	path[n - n_tail] = '\0';
	return true;
}
