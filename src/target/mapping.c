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
#include <stdlib.h>
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

/* Reads a number and the character behind it. */
static uint64_t take_number(char **at, int base)
{
	uint64_t value = strtoull(*at, at, base);

	*at += **at != '\0';
	return value;
}

/* Whether line is an executable mapping of a file; out is then filled. May cut the line's end. */
static bool parse_line(char *line, struct mapping *out)
{
	char *at = line;
	bool is_executable;
	unsigned major_number, minor_number;

	out->start = take_number(&at, 16);
	out->end = take_number(&at, 16);
	is_executable = strnlen(at, 5) == 5 && at[2] == 'x';
	if (!is_executable)
		return false;
	at += 5;
	take_number(&at, 16);
	major_number = (unsigned)take_number(&at, 16);
	minor_number = (unsigned)take_number(&at, 16);
	out->device = makedev(major_number, minor_number);
	out->inode = take_number(&at, 10);
	at += strspn(at, " ");
	if (!out->inode || *at != '/')
		return false;
	at[strcspn(at, "\n")] = '\0';
	if (path_strip_deleted(at))
		out->deleted_path = memory_strdup(at);
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
