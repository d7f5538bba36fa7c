// SPDX-License-Identifier: Apache-2.0
/*
 * Counting runs every few seconds for the exporter's whole life, so it asks the kernel for as
 * little as tells what changed: for each process one statx of its program and one of its root
 * directory. The program's path is read only when a process is new or runs another program. The
 * inode number of /proc/PID, which comes with the directory listing, tells a process from an
 * earlier one of the same pid. What a file server would have to be asked is not waited for.
 */
#include "target/census.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <utlist.h>

#include "base/memory.h"
#include "target/path.h"

enum { NAME_SIZE = 32 }; /* of "PID/root" */

int census_init(struct census *c, const char *proc_path, struct error *e)
{
	DIR *proc = opendir(proc_path);

	if (!proc)
		return error_set_errno(e, -errno, "%s", proc_path);
	*c = (struct census){.proc = proc, .proc_path = memory_strdup(proc_path)};
	return 0;
}

static void forget_process(struct census *c, struct process *p)
{
	HASH_DEL(c->processes, p);
	free(p->exe_path);
	free(p);
}

static void forget_views(struct census *c)
{
	struct view *v, *next;

	HASH_ITER (hh, c->views, v, next) {
		HASH_DEL(c->views, v);
		free(v);
	}
}

void census_deinit(struct census *c)
{
	struct process *p, *next;

	forget_views(c);
	HASH_ITER (hh, c->processes, p, next)
		forget_process(c, p);
	if (c->proc)
		closedir(c->proc);
	free(c->proc_path);
	*c = (struct census){};
}

static int look_at(const struct census *c, pid_t pid, const char *what, struct statx *out)
{
	char name[NAME_SIZE];

	snprintf(name, sizeof(name), "%d/%s", pid, what);
	if (statx(dirfd(c->proc), name, AT_STATX_DONT_SYNC, STATX_INO | STATX_NLINK | STATX_MNT_ID,
		    out))
		return -errno;
	return 0;
}

static void read_exe_path(const struct census *c, struct process *p)
{
	char name[NAME_SIZE], path[PATH_MAX];
	ssize_t n;

	snprintf(name, sizeof(name), "%d/exe", p->pid);
	n = readlinkat(dirfd(c->proc), name, path, sizeof(path) - 1);
	if (n <= 0)
		return;
	path[n] = '\0';
	p->exe_has_name = !path_strip_deleted(path);
	p->exe_path = memory_strdup(path);
}

/* The process of that pid as it was counted before, or a new one. */
static struct process *known_process(struct census *c, pid_t pid, uint64_t id)
{
	struct process *p;

	HASH_FIND_INT(c->processes, &pid, p);
	if (p && p->id != id) {
		forget_process(c, p);
		p = NULL;
	}
	if (!p) {
		p = memory_alloc(sizeof(*p));
		p->pid = pid;
		p->id = id;
		HASH_ADD_INT(c->processes, pid, p);
	}
	return p;
}

static void note_program(const struct census *c, struct process *p, const struct statx *exe)
{
	dev_t device = makedev(exe->stx_dev_major, exe->stx_dev_minor);

	if (!p->exe_path || p->exe_device != device || p->exe_inode != exe->stx_ino) {
		free(p->exe_path);
		p->exe_path = NULL;
		p->exe_device = device;
		p->exe_inode = exe->stx_ino;
		read_exe_path(c, p);
	}
	if (!exe->stx_nlink)
		p->exe_has_name = false;
}

static struct view_key key_of(const struct statx *root)
{
	return (struct view_key){
		.mount_id = root->stx_mnt_id,
		.device = makedev(root->stx_dev_major, root->stx_dev_minor),
		.inode = root->stx_ino,
	};
}

static void join_view(struct census *c, struct process *p, const struct statx *root)
{
	struct view_key key = key_of(root);
	struct view *v;

	HASH_FIND(hh, c->views, &key, sizeof(key), v);
	if (!v) {
		v = memory_alloc(sizeof(*v));
		v->key = key;
		HASH_ADD(hh, c->views, key, sizeof(key), v);
	}
	p->view = v;
	LL_PREPEND2(v->processes, p, next_in_view);
	v->has_nameless |= !p->exe_has_name;
}

static void count_process(struct census *c, pid_t pid, uint64_t id)
{
	struct statx exe, root;
	struct process *p;

	if (look_at(c, pid, "exe", &exe) || look_at(c, pid, "root", &root))
		return;
	p = known_process(c, pid, id);
	p->generation = c->generation;
	note_program(c, p, &exe);
	join_view(c, p, &root);
}

static void forget_the_gone(struct census *c)
{
	struct process *p, *next;

	HASH_ITER (hh, c->processes, p, next)
		if (p->generation != c->generation)
			forget_process(c, p);
}

int census_take(struct census *c, struct error *e)
{
	struct dirent *entry;
	int code;

	c->generation++;
	forget_views(c);
	rewinddir(c->proc);
	for (;;) {
		errno = 0;
		entry = readdir(c->proc);
		if (!entry)
			break;
		if (isdigit((unsigned char)entry->d_name[0]))
			count_process(c, (pid_t)strtol(entry->d_name, NULL, 10), entry->d_ino);
	}
	code = -errno;
	forget_the_gone(c);
	return code ? error_set_errno(e, code, "%s", c->proc_path) : 0;
}

const struct process *census_find(const struct census *c, pid_t pid, uint64_t id)
{
	struct process *p;

	HASH_FIND_INT(c->processes, &pid, p);
	return p && p->id == id ? p : NULL;
}

static int open_root_of(const struct census *c, const struct process *p)
{
	_cleanup_(closep) int fd = -1;
	char name[NAME_SIZE];
	struct statx root;
	struct view_key key;

	snprintf(name, sizeof(name), "%d/root", p->pid);
	fd = openat(dirfd(c->proc), name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (statx(fd, "", AT_EMPTY_PATH, STATX_INO | STATX_MNT_ID, &root))
		return -errno;
	key = key_of(&root);
	return memcmp(&key, &p->view->key, sizeof(key)) ? -ESRCH : TAKE_FD(fd);
}

int census_open_root(const struct census *c, const struct view *v, pid_t *pid)
{
	const struct process *p;
	int fd = -ESRCH;

	LL_FOREACH2(v->processes, p, next_in_view)
	{
		fd = open_root_of(c, p);
		if (fd >= 0) {
			*pid = p->pid;
			return fd;
		}
	}
	return fd == -ENOENT ? -ESRCH : fd;
}
