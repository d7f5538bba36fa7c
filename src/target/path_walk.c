// SPDX-License-Identifier: Apache-2.0
/*
 * What openat2(2) does with RESOLVE_IN_ROOT and RESOLVE_NO_MAGICLINKS, by steps that every sandbox
 * allows: one element at a time, no symlink followed by the kernel, and ".." goes back to the
 * directory that was come from. So nothing that is renamed meanwhile leads out of the root.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "target/path.h"

enum { MOST_LINKS = 40, MOST_DEEP = 256 };

struct walk {
	int fds[MOST_DEEP]; /* from the root, which is borrowed, to where the walk is */
	size_t n;
	char rest[PATH_MAX]; /* of the way */
	unsigned n_links;
};

static void go_back_to(struct walk *w, size_t n)
{
	while (w->n > n)
		close(w->fds[--w->n]);
}

/* Cuts the first element off the way; "" at its end. *is_last: only slashes are behind it, or
 * nothing. */
static void take_element(struct walk *w, char *element, bool *is_last)
{
	size_t start = strspn(w->rest, "/"), n = strcspn(w->rest + start, "/");
	char *behind = w->rest + start + n;

	memcpy(element, w->rest + start, n);
	element[n] = '\0';
	*is_last = !behind[strspn(behind, "/")];
	memmove(w->rest, behind, strlen(behind) + 1);
}

/* Puts what a link says before the rest of the way. */
static int follow(struct walk *w, int link)
{
	char text[PATH_MAX], way[PATH_MAX];
	ssize_t n = readlinkat(link, "", text, sizeof(text) - 1);
	struct statfs fs;

	if (n < 0)
		return -errno;
	text[n] = '\0';
	if (++w->n_links > MOST_LINKS)
		return -ELOOP;
	if (!n)
		return -ENOENT;
	/* Those of /proc/PID: they don't lead where their text says. */
	if (text[0] == '/' && !fstatfs(link, &fs) && fs.f_type == PROC_SUPER_MAGIC)
		return -ELOOP;
	if (snprintf(way, sizeof(way), "%s%s", text, w->rest) >= (int)sizeof(way))
		return -ENAMETOOLONG;
	memcpy(w->rest, way, sizeof(way));
	if (text[0] == '/')
		go_back_to(w, 1);
	return 0;
}

/* Goes on by what was opened, which it takes over. The descriptor that the way leads to, or
 * -EAGAIN: there is more of it; or another -errno. */
static int step(struct walk *w, int fd, bool is_last)
{
	_cleanup_(closep) int here = fd;
	struct stat s;
	int r;

	if (fstat(here, &s))
		return -errno;
	if (S_ISLNK(s.st_mode)) {
		r = follow(w, here);
		return r ? r : -EAGAIN;
	}
	if (!S_ISDIR(s.st_mode) && (!is_last || w->rest[0]))
		return -ENOTDIR;
	here = -1;
	if (is_last)
		return fd;
	if (w->n == MOST_DEEP) {
		close(fd);
		return -ENAMETOOLONG;
	}
	w->fds[w->n++] = fd;
	return -EAGAIN;
}

static int walk_on(struct walk *w)
{
	char element[PATH_MAX];
	bool is_last;
	int fd;

	take_element(w, element, &is_last);
	if (!strcmp(element, ".."))
		go_back_to(w, w->n > 1 ? w->n - 1 : 1);
	if (!element[0] || !strcmp(element, ".") || !strcmp(element, "..")) {
		if (!is_last)
			return -EAGAIN;
		fd = openat(w->fds[w->n - 1], ".", O_PATH | O_CLOEXEC);
		return fd < 0 ? -errno : fd;
	}
	fd = openat(w->fds[w->n - 1], element, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? -errno : step(w, fd, is_last);
}

int path_walk_below(int root_fd, const char *path)
{
	struct walk w = {.fds = {root_fd}, .n = 1};
	int r = -EAGAIN;

	if (!path[0])
		return -ENOENT;
	if (snprintf(w.rest, sizeof(w.rest), "%s", path) >= (int)sizeof(w.rest))
		return -ENAMETOOLONG;
	while (r == -EAGAIN)
		r = walk_on(&w);
	go_back_to(&w, 1);
	return r;
}
