// SPDX-License-Identifier: Apache-2.0
/*
 * A library that was replaced lives on in the processes that map it, and only their maps know.
 * Reading them all is dear, so that world.c does it only when a path is first asked for, or when
 * a file that it has followed loses its name.
 *
 * A line of maps reads "START-END rwxp OFFSET MAJOR:MINOR INODE   PATH".
 */
#include "target/mapping.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/memory.h"
#include "target/path.h"

void mappings_deinit(struct mappings *m)
{
	for (size_t i = 0; i < m->n; i++)
		free(m->items[i].deleted_path);
	free(m->items);
	*m = (struct mappings){};
}

/* Whether line is an executable mapping of a file; out is then filled. May cut the line's end. */
static bool parse_line(char *line, struct mapping *out)
{
	unsigned major_number, minor_number;
	uint64_t inode;
	char executable;
	int path_at = 0;

	if (sscanf(line, "%lx-%lx %*c%*c%c%*c %*x %x:%x %" SCNu64 " %n", &out->start, &out->end,
		    &executable, &major_number, &minor_number, &inode, &path_at) < 6)
		return false;
	if (executable != 'x' || !inode || line[path_at] != '/')
		return false;
	out->device = makedev(major_number, minor_number);
	out->inode = inode;
	line[strcspn(line, "\n")] = '\0';
	if (path_strip_deleted(line + path_at))
		out->deleted_path = memory_strdup(line + path_at);
	return true;
}

static void add(struct mappings *m, const struct mapping *one)
{
	if (m->n == m->capacity) {
		m->capacity = m->capacity ? m->capacity * 2 : 64;
		m->items = memory_grow(m->items, m->capacity, sizeof(*m->items));
	}
	m->items[m->n++] = *one;
}

static void read_process(struct mappings *m, const struct census *c, const struct process *p)
{
	_cleanup_(fclosep) FILE *file = NULL;
	_cleanup_(freep) char *line = NULL;
	size_t capacity = 0;
	char name[32];
	int fd;

	snprintf(name, sizeof(name), "%d/maps", p->pid);
	fd = openat(dirfd(c->proc), name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	file = fdopen(fd, "r");
	while (file && getline(&line, &capacity, file) > 0) {
		struct mapping one = {.process = p};

		if (parse_line(line, &one))
			add(m, &one);
	}
}

void mappings_read(struct mappings *m, const struct census *c)
{
	mappings_deinit(m);
	for (const struct process *p = c->processes; p; p = p->hh.next)
		read_process(m, c, p);
}

char *mapping_path(const struct mapping *m, const struct census *c)
{
	return memory_printf(
		"%s/%d/map_files/%lx-%lx", c->proc_path, m->process->pid, m->start, m->end);
}
