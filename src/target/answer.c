// SPDX-License-Identifier: Apache-2.0
/*
 * Answering what a path means: the file of that name in the exporter's own view, then in the view
 * of every process, then files that had that name and still run.
 *
 * A descriptor of another namespace's root keeps that namespace's mounts busy, so it is held for
 * the moment of looking alone.
 */
#include <errno.h>
#include <fcntl.h>

#include "base/memory.h"
#include "target/lookup.h"
#include "target/nameless.h"
#include "target/path.h"

static bool means_absent(int code)
{
	return code == -ENOENT || code == -ENOTDIR || code == -ELOOP || code == -ESRCH;
}

static void note_failure(struct lookup *l, int code, const char *origin)
{
	if (!means_absent(code) && !l->failure.text)
		error_set_errno(&l->failure, code, "%s", origin);
}

static void look_here(struct world *w, struct lookup *l)
{
	_cleanup_(closep) int fd = open(l->path, O_PATH | O_CLOEXEC);

	if (fd >= 0)
		lookup_add(w, l, fd, 0, l->path);
	else
		note_failure(l, -errno, l->path);
}

static void look_in(struct world *w, struct lookup *l, const struct view *v)
{
	_cleanup_(closep) int root = -1, file = -1;
	_cleanup_(freep) char *origin = NULL;
	pid_t pid = 0;

	root = census_open_root(&w->census, v, &pid);
	if (root < 0)
		return;
	origin = memory_printf("%s/%d/root%s", w->census.proc_path, pid, l->path);
	file = path_open_below(root, l->path);
	if (file >= 0)
		lookup_add(w, l, file, pid, origin);
	else
		note_failure(l, file, origin);
	nameless_add(w, l, v, root, file);
}

void lookup_answer(struct world *w, struct lookup *l)
{
	error_deinit(&l->failure);
	l->odd = NULL;
	l->previous = l->finds;
	l->finds = (struct finds){};
	look_here(w, l);
	for (const struct view *v = w->census.views; v; v = v->hh.next)
		look_in(w, l, v);
	nameless_keep(w, l);
	finds_deinit(&l->previous);
	l->is_known = true;
	l->is_answered = true;
}
