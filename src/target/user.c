// SPDX-License-Identifier: Apache-2.0
/*
 * Whom to look at, the census and the table of mappings say; what is there, the process's own maps
 * say now. A process between two programs has the new one's name and nothing of it in memory yet,
 * so that a visitor who finds something missing can have a second look. That is worth a short wait,
 * which is bounded for all processes together.
 */
#include "target/user.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/memory.h"
#include "target/lookup.h"

enum { PAUSE_MS = 20, MOST_PAUSES = 8, MOST_RANGES = 1024 };

static void user_deinit(struct user *u)
{
	closep(&u->memory_fd);
	free(u->ranges);
}

static bool runs(const struct process *p, const struct target *t)
{
	return p->exe_device == t->device && p->exe_inode == t->inode;
}

static void add_range(struct user *u, const struct mapping *m)
{
	u->ranges = memory_grow(u->ranges, u->n_ranges + 1, sizeof(*u->ranges));
	u->ranges[u->n_ranges++] = (struct user_range){
		.start = m->start,
		.end = m->end,
		.offset = m->offset,
		.is_writable = m->is_writable,
		.is_shared = m->is_shared,
	};
}

/* Of a program, everything that has its path or inode number counts: better to take too much for
 * its code than to miss it. */
static void add_ranges(
	struct user *u, const struct mappings *m, const struct census *c, const struct target *t)
{
	for (size_t i = 0; i < m->n && u->n_ranges < MOST_RANGES; i++) {
		const struct mapping *one = &m->items[i];
		bool is_alike = one->is_of_program || one->inode == t->inode;

		if (u->is_program ? is_alike : mapping_is_of(one, c, t))
			add_range(u, one);
	}
}

static int open_of(const struct census *c, const struct process *p, const char *what, int flags)
{
	char name[32];

	snprintf(name, sizeof(name), "%d/%s", p->pid, what);
	return openat(dirfd(c->proc), name, flags | O_CLOEXEC);
}

/* Whether it is still the process, and runs what it ran. */
static bool is_unchanged(const struct census *c, const struct process *p)
{
	_cleanup_(closep) int fd = open_of(c, p, "exe", O_PATH);
	struct stat st;

	return fd >= 0 && !fstat(fd, &st) && st.st_dev == p->exe_device &&
	       st.st_ino == p->exe_inode;
}

static bool user_init(
	struct user *u, const struct census *c, const struct process *p, const struct target *t)
{
	_cleanup_(mappings_deinit) struct mappings m = {};

	*u = (struct user){.pid = p->pid, .is_program = runs(p, t)};
	u->memory_fd = open_of(c, p, "mem", O_RDONLY);
	if (u->memory_fd < 0 || mappings_read_process(&m, c, p))
		return false;
	add_ranges(u, &m, c, t);
	return is_unchanged(c, p) && (u->n_ranges || u->is_program);
}

/* What is left of a search. */
struct looking {
	const struct census *census;
	const struct target *target;
	user_visit *visit;
	void *data;
	size_t n_pauses;
};

static bool look(struct looking *l, const struct process *p, bool is_last)
{
	_cleanup_(user_deinit) struct user u = {.memory_fd = -1};

	return user_init(&u, l->census, p, l->target) && l->visit(&u, is_last, l->data);
}

static void look_twice(struct looking *l, const struct process *p)
{
	const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000};

	if (!look(l, p, false) || l->n_pauses == MOST_PAUSES)
		return;
	l->n_pauses++;
	nanosleep(&pause, NULL);
	look(l, p, true);
}

void users_visit(struct world *w, const struct target *t, user_visit *visit, void *data)
{
	const struct mappings *m = world_mappings(w);
	struct looking l = {&w->census, t, visit, data, 0};
	size_t i = 0;

	/* The mappings are in the order of the processes. */
	for (const struct process *p = w->census.processes; p; p = p->hh.next) {
		bool has_it = runs(p, t);

		for (; i < m->n && m->items[i].process == p; i++)
			has_it = has_it || mapping_is_of(&m->items[i], &w->census, t);
		if (has_it)
			look_twice(&l, p);
	}
}
