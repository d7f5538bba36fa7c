// SPDX-License-Identifier: Apache-2.0
/*
 * A target is found through an O_PATH descriptor, which opens nothing: only once that is known to
 * be a regular file is it opened for reading, so that a FIFO or a device that someone puts where
 * a program is expected never blocks or reacts.
 *
 * On overlayfs (most containers) the kernel probes the file in the layer below, which several
 * overlays can share while stat shows each with a device of its own. Such files have everything
 * else in common, the inode number and the time of change in ns included; that much is taken as
 * proof that they are one. A file that is copied up for writing keeps number and contents but
 * becomes another to the kernel, so there the time of change also tells an old target from a new.
 */
#include "target/target.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>

#include "base/memory.h"
#include "target/path.h"
#include "target/watch.h"

struct target *target_ref(struct target *t)
{
	t->references++;
	return t;
}

void target_unref(struct target *t)
{
	if (!t || --t->references)
		return;
	if (t->watch)
		watch_remove(t->watch, t);
	close(t->fd);
	free(t->path);
	free(t->origin);
	free(t->root);
	free(t->unguarded);
	if (t->notes)
		t->free_notes(t->notes);
	free(t);
}

void target_kernel_path(const struct target *t, char *out, size_t size)
{
	snprintf(out, size, "/proc/self/fd/%d", t->fd);
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

static bool same_contents(const struct target *t, const struct stat *st)
{
	return t->inode == st->st_ino && t->size_bytes == (uint64_t)st->st_size &&
	       same_time(&t->modified, &st->st_mtim);
}

bool target_is(const struct target *t, const struct stat *st)
{
	if (t->device != st->st_dev)
		return false;
	switch (t->state) {
	case TARGET_WRITTEN:
		return t->inode == st->st_ino;
	case TARGET_OUTDATED:
		return false;
	default:
		return same_contents(t, st) &&
		       (!t->on_overlay || same_time(&t->changed, &st->st_ctim));
	}
}

bool target_is_below(const struct target *t, const struct stat *st, bool on_overlay)
{
	return t->state == TARGET_WHOLE && (t->on_overlay || on_overlay) &&
	       t->device != st->st_dev && same_contents(t, st) &&
	       same_time(&t->changed, &st->st_ctim);
}

bool is_on_overlay(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) && fs.f_type == OVERLAYFS_SUPER_MAGIC;
}

const char *target_trouble(const struct target *t)
{
	return t->state == TARGET_WRITTEN ? "someone has the file open for writing: it is looked "
					    "at again when it is whole"
					  : NULL;
}

bool target_has_changed(const struct target *t)
{
	struct stat st;

	return fstat(t->fd, &st) || !same_contents(t, &st);
}

const char *file_kind_name(mode_t mode)
{
	static const struct {
		mode_t type;
		const char *name;
	} kinds[] = {
		{S_IFDIR, "a directory"},
		{S_IFIFO, "a FIFO"},
		{S_IFSOCK, "a socket"},
		{S_IFCHR, "a device"},
		{S_IFBLK, "a device"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if ((mode & S_IFMT) == kinds[i].type)
			return kinds[i].name;
	return "no file";
}

int target_new(
	struct target **out, int path_fd, const struct stat *st, const char *path, struct error *e)
{
	int fd = path_reopen(path_fd);
	struct target *t;

	if (fd < 0)
		return error_set_errno(e, fd, "%s", path);
	t = memory_alloc(sizeof(*t));
	*t = (struct target){
		.references = 1,
		.fd = fd,
		.device = st->st_dev,
		.inode = st->st_ino,
		.size_bytes = (uint64_t)st->st_size,
		.modified = st->st_mtim,
		.changed = st->st_ctim,
		.on_overlay = is_on_overlay(fd),
		.path = memory_strdup(path),
	};
	*out = t;
	return 0;
}

/* How much of path leads to a process's root directory: "/proc/PID/root"; or 0. */
static size_t root_length(const char *path)
{
	int n = 0;

	return sscanf(path, "/proc/%*u/root%n/", &n) != EOF && n && path[n] == '/' ? (size_t)n : 0;
}

int target_open(struct target **out, const char *path, struct error *e)
{
	_cleanup_(closep) int fd = open(path, O_PATH | O_CLOEXEC);
	size_t n_root = root_length(path);
	struct target *t;
	struct stat st;
	int r;

	if (fd < 0 || fstat(fd, &st))
		return error_set_errno(e, -errno, "%s", path);
	if (!S_ISREG(st.st_mode))
		return error_set(e, -EINVAL, "%s: %s, not a program or library", path,
			file_kind_name(st.st_mode));
	r = target_new(&t, fd, &st, path + n_root, e);
	if (r)
		return r;
	t->origin = memory_strdup(path);
	t->root = n_root ? memory_printf("%.*s", (int)n_root, path) : memory_strdup("/");
	*out = t;
	return 0;
}
