// SPDX-License-Identifier: Apache-2.0
/*
 * The libraries that a file is linked with are looked for as its loader would, in its process's
 * own view. As the files are anyone's, their number and size are bounded.
 */
#include "plan/library.h"

#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "target/loader.h"

enum { MOST_LIBRARIES = 64 };
static const uint64_t most_bytes = 1 << 30; /* of all of them together */

/* A file as those see it that it needs. */
struct parent {
	const char *origin;       /* its path */
	const char *library_path; /* for its own needs */
	const char *inherited;    /* and for theirs */
};

struct needed {
	const char *name;
	const struct parent *parent;
};

struct libraries {
	struct arena *arena;
	struct loader *loader;
	enum elf_machine machine;
	struct needed items[MOST_LIBRARIES];
	size_t n;
	uint64_t bytes_left;
	library_visit *visit;
	void *data;

	const struct parent *parent; /* of those that are just noted or offered */
};

static void note(const char *name, void *data)
{
	struct libraries *l = data;

	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->items[i].name, name))
			return;
	if (l->n < MOST_LIBRARIES)
		l->items[l->n++] = (struct needed){arena_strdup(l->arena, name), l->parent};
}

static const char *join(const char *a, const char *b, struct arena *arena)
{
	return a && b ? arena_printf(arena, "%s:%s", a, b) : a ? a : b;
}

static void note_all(
	struct libraries *l, const struct elf_file *elf, const char *path, const char *inherited)
{
	struct parent *p = arena_alloc(l->arena, sizeof(*p));
	bool is_inherited = false;
	_cleanup_(freep) char *text = elf_file_library_path(elf, &is_inherited);
	const char *own = text ? arena_strdup(l->arena, text) : NULL;

	p->origin = arena_strdup(l->arena, path);
	p->inherited = is_inherited ? join(own, inherited, l->arena) : inherited;
	p->library_path = own && !is_inherited ? own : p->inherited;
	l->parent = p;
	elf_file_each_needed(elf, note, l);
}

/* Takes the bytes off what may still be read. */
static bool is_affordable(struct libraries *l, int fd)
{
	struct stat st;

	if (fstat(fd, &st) || (uint64_t)st.st_size > l->bytes_left)
		return false;
	l->bytes_left -= (uint64_t)st.st_size;
	return true;
}

static bool visit_library(int fd, const char *path, void *data)
{
	_cleanup_(elf_file_freep) struct elf_file *elf = NULL;
	_cleanup_(error_deinit) struct error ignored = {};
	struct libraries *l = data;

	if (!is_affordable(l, fd) || elf_file_open(&elf, fd, &ignored) ||
		elf_file_machine(elf) != l->machine)
		return false;
	l->visit(elf, path, l->data);
	note_all(l, elf, path, l->parent->inherited);
	return true;
}

void libraries_visit(
	const struct target *t, const struct elf_file *elf, library_visit *visit, void *data)
{
	_cleanup_(arena_freep) struct arena *arena = arena_new();
	_cleanup_(loader_freep) struct loader *loader = NULL;
	_cleanup_(freep) char *origin = NULL;
	struct libraries l = {.arena = arena,
		.machine = elf_file_machine(elf),
		.visit = visit,
		.data = data,
		.bytes_left = most_bytes};

	if (loader_new(&loader, t))
		return;
	l.loader = loader;
	origin = loader_origin(loader, t);
	note_all(&l, elf, origin, NULL);
	for (size_t i = 0; i < l.n; i++) {
		struct loader_request r = {
			.name = l.items[i].name,
			.library_path = l.items[i].parent->library_path,
			.origin = l.items[i].parent->origin,
		};

		l.parent = l.items[i].parent;
		if (!loader_find(loader, &r, visit_library, &l))
			visit(NULL, l.items[i].name, data);
	}
}
