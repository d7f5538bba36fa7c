// SPDX-License-Identifier: Apache-2.0
/*
 * Debug files lie where distributions and debuggers agree that they do: below /usr/lib/debug by
 * build-id; or, by the name that the program gives, beside it, in .debug beside it, and below
 * /usr/lib/debug in the directory of its own name. That is looked at as the program's process sees
 * it, whose files are anyone's: nothing leads out of its root, and only regular files are
 * opened. Then as the exporter sees it: on a node, what is installed there serves all containers.
 *
 * No server is asked (debuginfod): what is probed stays on the machine.
 */
#include "target/debug.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "target/path.h"

static const char debug_root[] = "/usr/lib/debug";

/* One view that is looked at. */
struct search {
	const struct target *target;
	const struct debug_names *names;
	debug_accepts *accepts;
	void *data;
	const char *root;
	int root_fd;
	bool is_own;
};

/* The program itself may lie at such a place. */
static bool is_other_file(const struct search *s, int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode) &&
	       (st.st_dev != s->target->device || st.st_ino != s->target->inode);
}

static bool try_path(const struct search *s, const char *path)
{
	_cleanup_(closep) int path_fd = path_open_below(s->root_fd, path);
	_cleanup_(closep) int fd = -1;
	_cleanup_(freep) char *whole = NULL;
	struct debug_candidate c = {.is_own = s->is_own};

	if (path_fd < 0 || !is_other_file(s, path_fd))
		return false;
	fd = path_reopen(path_fd);
	if (fd < 0)
		return false;
	whole = memory_printf("%s%s", s->is_own ? "" : s->root, path);
	c.path = whole;
	c.fd = fd;
	if (!s->accepts(&c, s->data))
		return false;
	TAKE_FD(fd);
	return true;
}

static bool try_build_id(const struct search *s)
{
	const char *id = s->names->build_id;
	_cleanup_(freep) char *path = NULL;

	if (!id || strlen(id) < 4)
		return false;
	path = memory_printf("%s/.build-id/%.2s/%s.debug", debug_root, id, id + 2);
	return try_path(s, path);
}

/* beside: a path of the program; its directory counts. */
static bool try_link(const struct search *s, const char *beside)
{
	static const char *const places[][2] = {{"", "/"}, {"", "/.debug/"}, {debug_root, "/"}};
	const char *slash = beside ? strrchr(beside, '/') : NULL;

	for (size_t i = 0; slash && s->names->link && i < ARRAY_SIZE(places); i++) {
		_cleanup_(freep) char *path = memory_printf("%s%.*s%s%s", places[i][0],
			(int)(slash - beside), beside, places[i][1], s->names->link);

		if (try_path(s, path))
			return true;
	}
	return false;
}

static bool look(struct search *s)
{
	_cleanup_(closep) int root_fd = open(s->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	_cleanup_(freep) char *followed = path_of_descriptor(s->target->fd);

	if (root_fd < 0)
		return false;
	s->root_fd = root_fd;
	if (try_build_id(s) || try_link(s, s->target->path))
		return true;
	return followed && strcmp(followed, s->target->path) != 0 && try_link(s, followed);
}

bool debug_files_offer(
	const struct target *t, const struct debug_names *names, debug_accepts *accepts, void *data)
{
	struct search s = {.target = t, .names = names, .accepts = accepts, .data = data};

	s.root = t->root;
	s.is_own = !strcmp(t->root, "/");
	if (look(&s))
		return true;
	if (s.is_own)
		return false;
	s.root = "/";
	s.is_own = true;
	return look(&s);
}
