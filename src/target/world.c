// SPDX-License-Identifier: Apache-2.0
/*
 * The world remembers: per path the files found, so that a file keeps its target for as long as
 * it is found; per refresh the answers, so that a hundred probes of one binary cost one search.
 */
#include "target/world.h"

#include <errno.h>

#include "base/memory.h"
#include "target/lookup.h"
#include "target/watch.h"

int world_new(struct world **out, const char *proc_path, struct error *e)
{
	_cleanup_(world_freep) struct world *w = memory_alloc(sizeof(*w));
	int r = census_init(&w->census, proc_path, e);

	if (r)
		return r;
	r = census_take(&w->census, e);
	if (r)
		return r;
	*out = TAKE_PTR(w);
	return 0;
}

void world_free(struct world *w)
{
	struct lookup *l, *next;

	if (!w)
		return;
	HASH_ITER (hh, w->lookups, l, next)
		lookup_forget(w, l);
	mappings_deinit(&w->mappings);
	census_deinit(&w->census);
	watch_free(w->watch);
	free(w);
}

int world_watch(struct world *w, struct error *e)
{
	return watch_new(&w->watch, e);
}

int world_watch_fd(const struct world *w)
{
	return w->watch->fd;
}

bool world_watch_read(struct world *w, target_release *release, void *data)
{
	return watch_read(w->watch, release, data);
}

void world_refresh_files(struct world *w)
{
	struct lookup *l, *next;

	HASH_ITER (hh, w->lookups, l, next) {
		if (!l->is_answered)
			lookup_forget(w, l);
		else
			l->is_answered = false;
	}
}

int world_refresh(struct world *w, struct error *e)
{
	world_refresh_files(w);
	mappings_deinit(&w->mappings);
	w->has_mappings = false;
	return census_take(&w->census, e);
}

const struct mappings *world_mappings(struct world *w)
{
	if (!w->has_mappings)
		mappings_read(&w->mappings, &w->census);
	w->has_mappings = true;
	return &w->mappings;
}

static void explain(const struct lookup *l, struct error *e)
{
	if (l->failure.text)
		error_set(e, 0, "%s", l->failure.text);
	else if (!l->finds.n && l->odd)
		error_set(e, 0, "%s: %s, not a program or library", l->path, l->odd);
	else if (!l->finds.n)
		error_set(e, 0,
			"%s: no such file, neither here nor in any process's mount namespace",
			l->path);
}

int world_find(
	struct world *w, const char *path, struct target ***out, size_t *n_out, struct error *e)
{
	struct target **targets;
	struct lookup *l;

	if (*path != '/')
		return error_set(e, -EINVAL, "%s: not an absolute path", path);
	l = lookup_get(w, path);
	if (!l->is_answered)
		lookup_answer(w, l);
	explain(l, e);
	targets = memory_alloc((l->finds.n + 1) * sizeof(struct target *));
	for (size_t i = 0; i < l->finds.n; i++)
		targets[i] = target_ref(l->finds.items[i].target);
	*out = targets;
	*n_out = l->finds.n;
	return 0;
}

bool world_is_odd(const struct world *w, const char *path)
{
	struct lookup *l;

	HASH_FIND_STR(w->lookups, path, l);
	return l && l->odd;
}
