// SPDX-License-Identifier: Apache-2.0
/*
 * When a package is upgraded, the processes that run go on with the old file, which no path leads
 * to. There are two ways to it, tried in this order of cost:
 *
 * - As a program: the census knows for each process whether the file that it runs has a name, and
 *   which it had. This costs nothing while all have theirs.
 * - As a library: only PID/maps tells. The maps are read when a path is first asked for, and when
 *   a file that was followed loses its name. One process that maps such a file is then its witness:
 *   no maps are read again before the witness is gone or runs another program. So a library closed
 *   with dlclose() is kept a little longer than needed, which does no harm.
 *
 * Paths in /proc are seen from the exporter's root directory, or, in another mount namespace, from
 * that namespace's. A view's own root may lie deeper (chroot, before or after the program began),
 * and symlinks may lead from the path that is configured (/bin/x) to the one that the kernel
 * reports (/usr/bin/x). So the kernel is asked to spell all of them, and any of them will do.
 */
#include "target/nameless.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "target/path.h"

/* How the kernel may spell the path of a file that was what the lookup means. */
struct spellings {
	char *texts[4];
};

static void spellings_deinit(struct spellings *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(s->texts); i++)
		free(s->texts[i]);
}

static bool spellings_have(const struct spellings *s, const char *path)
{
	for (size_t i = 0; path && i < ARRAY_SIZE(s->texts); i++)
		if (s->texts[i] && !strcmp(s->texts[i], path))
			return true;
	return false;
}

static char *join(const char *directory, const char *rest)
{
	return memory_printf("%s%s", strcmp(directory, "/") ? directory : "", rest);
}

/* As given; the same below the view's root; there, with the symlinks in its directory followed,
 * and with all symlinks followed. */
static void spellings_init(struct spellings *s, const char *path, int root_fd, int file_fd)
{
	_cleanup_(freep) char *root = path_of_descriptor(root_fd), *directory = NULL,
			      *parent = NULL;
	_cleanup_(closep) int parent_fd = -1;
	const char *base = strrchr(path, '/');

	*s = (struct spellings){.texts[0] = memory_strdup(path)};
	if (root)
		s->texts[1] = join(root, path);
	parent = base > path ? memory_printf("%.*s", (int)(base - path), path) : memory_strdup("/");
	parent_fd = path_open_below(root_fd, parent);
	directory = parent_fd < 0 ? NULL : path_of_descriptor(parent_fd);
	if (directory)
		s->texts[2] = join(directory, base);
	if (file_fd >= 0)
		s->texts[3] = path_of_descriptor(file_fd);
}

static void add_program(struct world *w, struct lookup *l, const struct process *p)
{
	_cleanup_(freep) char *origin = memory_printf("%s/%d/exe", w->census.proc_path, p->pid);
	_cleanup_(closep) int fd = open(origin, O_PATH | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) || st.st_dev != p->exe_device || st.st_ino != p->exe_inode)
		return;
	lookup_add(w, l, fd, p->pid, origin);
}

static void set_witness(struct found *f, const struct mapping *m)
{
	f->witness = m->process->pid;
	f->witness_id = m->process->id;
	f->witness_program = m->process->exe_inode;
}

static void add_mapped(struct world *w, struct lookup *l, const struct mapping *m)
{
	_cleanup_(freep) char *origin = mapping_path(m, &w->census);
	_cleanup_(closep) int fd = open(origin, O_PATH | O_CLOEXEC);
	struct found *f;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) || st.st_ino != m->inode)
		return;
	f = lookup_add(w, l, fd, m->process->pid, origin);
	if (f)
		set_witness(f, m);
}

void nameless_add(struct world *w, struct lookup *l, const struct view *v, int root_fd, int file_fd)
{
	_cleanup_(spellings_deinit) struct spellings s = {};
	const struct process *p;
	const struct mappings *maps;

	if (!v->has_nameless && l->is_known)
		return;
	spellings_init(&s, l->path, root_fd, file_fd);
	for (p = v->processes; p; p = p->next_in_view)
		if (!p->exe_has_name && spellings_have(&s, p->exe_path))
			add_program(w, l, p);
	if (l->is_known)
		return;
	maps = world_mappings(w);
	for (size_t i = 0; i < maps->n; i++)
		if (maps->items[i].process->view == v &&
			spellings_have(&s, maps->items[i].deleted_path))
			add_mapped(w, l, &maps->items[i]);
}

/* Also an earlier state of a file that was written to: its offsets mean nothing any more. */
static bool is_found(const struct finds *f, const struct target *t)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->items[i].target->device == t->device &&
			f->items[i].target->inode == t->inode)
			return true;
	return false;
}

static bool is_program(const struct census *c, const struct target *t)
{
	for (const struct process *p = c->processes; p; p = p->hh.next)
		if (p->exe_device == t->device && p->exe_inode == t->inode)
			return true;
	return false;
}

static bool has_witness(const struct census *c, const struct found *f)
{
	const struct process *p = f->witness ? census_find(c, f->witness, f->witness_id) : NULL;

	return p && p->exe_inode == f->witness_program;
}

static bool find_witness(struct world *w, struct found *f)
{
	const struct mappings *maps = world_mappings(w);

	for (size_t i = 0; i < maps->n; i++) {
		if (mapping_is_of(&maps->items[i], &w->census, f->target)) {
			set_witness(f, &maps->items[i]);
			return true;
		}
	}
	return false;
}

void nameless_keep(struct world *w, struct lookup *l)
{
	for (size_t i = 0; i < l->previous.n; i++) {
		struct found *f = &l->previous.items[i];

		if (is_found(&l->finds, f->target))
			continue;
		if (is_program(&w->census, f->target) || has_witness(&w->census, f) ||
			find_witness(w, f))
			finds_append(&l->finds, f);
	}
}
