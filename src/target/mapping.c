// SPDX-License-Identifier: Apache-2.0
/*
 * A library that was replaced lives on in the processes that map it, and only their maps know.
 * Reading them all is dear, so that world.c does it only when a path is first asked for, or when
 * a file that it has followed loses its name.
 *
 * A line of maps reads "START-END rwxp OFFSET MAJOR:MINOR INODE   PATH".
 */
#include "target/mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/memory.h"
#include "target/path.h"
#include "target/world.h"

void mappings_deinit(struct mappings *m)
{
	for (size_t i = 0; i < m->n; i++)
		free(m->items[i].deleted_path);
	free(m->items);
	free(m->torn);
	*m = (struct mappings){};
}

/* Reads a number and the character behind it. */
static uint64_t take_number(char **at, int base)
{
	uint64_t value = strtoull(*at, at, base);

	*at += **at != '\0';
	return value;
}

/* A line of maps. */
struct line {
	struct mapping mapping;
	unsigned long bias; /* of addresses against places in the file */
	bool is_executable, is_of_file;
};

/* Memory without a file has an inode and a path, too, where it was asked for in huge pages. */
static bool is_memory(const char *path)
{
	static const char huge[] = "/anon_hugepage";

	return !strncmp(path, huge, sizeof(huge) - 1);
}

/* May cut the line's end. */
static struct line parse_line(char *text, const struct process *p)
{
	unsigned major_number, minor_number;
	struct line l = {.mapping.process = p};
	char *at = text;

	l.mapping.start = take_number(&at, 16);
	l.mapping.end = take_number(&at, 16);
	if (strnlen(at, 5) < 5)
		return l;
	l.is_executable = at[2] == 'x';
	l.mapping.is_writable = at[1] == 'w';
	l.mapping.is_shared = at[3] == 's';
	at += 5;
	l.mapping.offset = take_number(&at, 16);
	l.bias = l.mapping.start - l.mapping.offset;
	major_number = (unsigned)take_number(&at, 16);
	minor_number = (unsigned)take_number(&at, 16);
	l.mapping.device = makedev(major_number, minor_number);
	l.mapping.inode = take_number(&at, 10);
	at += strspn(at, " ");
	l.is_of_file = l.mapping.inode && *at == '/' && !is_memory(at);
	at[strcspn(at, "\n")] = '\0';
	if (l.is_of_file && l.is_executable && path_strip_deleted(at))
		l.mapping.deleted_path = memory_strdup(at);
	l.mapping.is_of_program = p->exe_path && !strcmp(at, p->exe_path);
	/* The kernel's own, where instructions under a breakpoint are stepped. */
	l.is_executable &= strcmp(at, "[uprobes]") != 0;
	return l;
}

static void add(struct mappings *m, const struct mapping *one)
{
	if (m->n == m->capacity) {
		m->capacity = m->capacity ? m->capacity * 2 : 64;
		m->items = memory_grow(m->items, m->capacity, sizeof(*m->items));
	}
	m->items[m->n++] = *one;
}

/*
 * Programs that want their code in huge pages copy it to other memory and put that in its place:
 * code without a file then adjoins a mapping of the file and lies before another one of the same
 * bias. V8 maps a part of its file once more among code that it made: that has another bias.
 */
struct tear {
	struct line file;       /* the file that was met last */
	bool has_code;          /* code without a file was met since */
	bool adjoins;           /* ... that begins where the file's mapping ends */
	unsigned long code_end; /* of the last such code */
};

/* Segments of one file differ by their alignment, 2 MiB at most. */
static bool is_near(unsigned long a, unsigned long b)
{
	return (a > b ? a - b : b - a) < 16 << 20;
}

static bool is_torn(const struct tear *tear, const struct line *l)
{
	return tear->has_code && is_near(l->bias, tear->file.bias) &&
	       (tear->adjoins || tear->code_end == l->mapping.start);
}

static void note_torn(struct mappings *m, const struct mapping *one)
{
	m->torn = memory_grow(m->torn, m->n_torn + 1, sizeof(*m->torn));
	m->torn[m->n_torn++] = *one;
}

static void look_for_tear(struct tear *tear, struct mappings *m, const struct line *l)
{
	const struct mapping *file = &tear->file.mapping;
	bool is_same = l->is_of_file && l->mapping.inode == file->inode &&
		       l->mapping.device == file->device;

	if (is_same && is_torn(tear, l))
		note_torn(m, file);
	if (l->is_of_file) {
		*tear = (struct tear){.file = *l};
	} else if (l->is_executable) {
		tear->adjoins |= l->mapping.start == file->end;
		tear->has_code = true;
		tear->code_end = l->mapping.end;
	}
}

int mappings_read_process(struct mappings *m, const struct census *c, const struct process *p)
{
	_cleanup_(fclosep) FILE *file = NULL;
	_cleanup_(freep) char *line = NULL;
	struct tear tear = {};
	size_t capacity = 0;
	char name[32];
	int fd;

	snprintf(name, sizeof(name), "%d/maps", p->pid);
	fd = openat(dirfd(c->proc), name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	file = fdopen(fd, "r");
	while (file && getline(&line, &capacity, file) > 0) {
		struct line l = parse_line(line, p);

		look_for_tear(&tear, m, &l);
		if (l.is_executable && l.is_of_file)
			add(m, &l.mapping);
	}
	return 0;
}

void mappings_read(struct mappings *m, const struct census *c)
{
	mappings_deinit(m);
	for (const struct process *p = c->processes; p; p = p->hh.next)
		mappings_read_process(m, c, p);
}

char *mapping_path(const struct mapping *m, const struct census *c)
{
	return memory_printf(
		"%s/%d/map_files/%lx-%lx", c->proc_path, m->process->pid, m->start, m->end);
}

bool mapping_is_of(const struct mapping *m, const struct census *c, const struct target *t)
{
	_cleanup_(freep) char *path = NULL;
	struct stat st;

	if (m->inode != t->inode)
		return false;
	if (m->device == t->device)
		return true;
	path = mapping_path(m, c);
	return !stat(path, &st) && st.st_dev == t->device && st.st_ino == t->inode;
}
