// SPDX-License-Identifier: Apache-2.0
/*
 * Lookups share targets: whatever way a file is reached, and for whichever path, it is looked for
 * first among those that some lookup holds, so that one file is one struct.
 */
#include "target/lookup.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "target/target.h"
#include "target/watch.h"

void finds_append(struct finds *f, const struct found *one)
{
	f->items = memory_grow(f->items, f->n + 1, sizeof(*f->items));
	f->items[f->n] = *one;
	target_ref(f->items[f->n++].target);
}

void finds_deinit(struct finds *f)
{
	for (size_t i = 0; i < f->n; i++)
		target_unref(f->items[i].target);
	free(f->items);
	*f = (struct finds){};
}

struct lookup *lookup_get(struct world *w, const char *path)
{
	struct lookup *l;

	HASH_FIND_STR(w->lookups, path, l);
	if (!l) {
		l = memory_alloc(sizeof(*l));
		l->path = memory_strdup(path);
		HASH_ADD_KEYPTR(hh, w->lookups, l->path, strlen(l->path), l);
	}
	return l;
}

void lookup_forget(struct world *w, struct lookup *l)
{
	HASH_DEL(w->lookups, l);
	finds_deinit(&l->finds);
	error_deinit(&l->failure);
	free(l->path);
	free(l);
}

static struct target *match(const struct finds *f, const struct stat *st)
{
	for (size_t i = 0; i < f->n; i++)
		if (target_is(f->items[i].target, st))
			return f->items[i].target;
	return NULL;
}

static struct target *match_below(const struct finds *f, const struct stat *st, bool on_overlay)
{
	for (size_t i = 0; i < f->n; i++)
		if (target_is_below(f->items[i].target, st, on_overlay))
			return f->items[i].target;
	return NULL;
}

/* The target that some lookup holds for the file; borrowed. */
static struct target *held_target(const struct world *w, int path_fd, const struct stat *st)
{
	struct target *t = NULL;
	bool on_overlay;

	for (const struct lookup *l = w->lookups; l && !t; l = l->hh.next) {
		t = match(&l->previous, st);
		if (!t)
			t = match(&l->finds, st);
	}
	if (t)
		return t;
	on_overlay = is_on_overlay(path_fd);
	for (const struct lookup *l = w->lookups; l && !t; l = l->hh.next) {
		t = match_below(&l->previous, st, on_overlay);
		if (!t)
			t = match_below(&l->finds, st, on_overlay);
	}
	return t;
}

static struct found *find_or_append(struct finds *f, struct target *t)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->items[i].target == t)
			return &f->items[i];
	finds_append(f, &(struct found){.target = t});
	return &f->items[f->n - 1];
}

struct found *lookup_add(
	struct world *w, struct lookup *l, int path_fd, pid_t pid, const char *origin)
{
	_cleanup_(target_unrefp) struct target *t = NULL;
	struct target *held;
	struct stat st;

	if (fstat(path_fd, &st))
		return NULL;
	if (!S_ISREG(st.st_mode)) {
		l->odd = file_kind_name(st.st_mode);
		return NULL;
	}
	held = held_target(w, path_fd, &st);
	if (held)
		return find_or_append(&l->finds, held);
	if (target_new(&t, path_fd, &st, l->path, l->failure.text ? NULL : &l->failure))
		return NULL;
	t->pid = pid;
	t->origin = memory_strdup(origin);
	t->root = pid ? memory_printf("%s/%d/root", w->census.proc_path, pid) : memory_strdup("/");
	if (w->watch)
		watch_add(w->watch, t);
	return find_or_append(&l->finds, t);
}
