// SPDX-License-Identifier: Apache-2.0
#include "plan/points.h"

#include <errno.h>
#include <string.h>

#include "base/memory.h"

enum { MOST_POINTS = 1 << 16 };

struct loading {
	struct points *points;
	size_t capacity;
	struct arena *arena;
};

static int add(const struct elf_point *p, void *data)
{
	struct loading *l = data;
	struct points *points = l->points;

	if (points->n == MOST_POINTS)
		return -E2BIG;
	if (points->n == l->capacity) {
		l->capacity = l->capacity ? 2 * l->capacity : 64;
		points->items = memory_grow(points->items, l->capacity, sizeof(*points->items));
	}
	points->items[points->n++] = (struct point){
		.name = arena_strdup(l->arena, p->name),
		.arguments = arena_strdup(l->arena, p->arguments),
		.address = p->address,
		.semaphore = p->semaphore,
	};
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct point *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (order || x->address == y->address)
		return order;
	return x->address < y->address ? -1 : 1;
}

/* Sorts; the same place of the same point counts once. */
static void unify(struct points *p)
{
	size_t n = 0;

	if (p->n)
		qsort(p->items, p->n, sizeof(*p->items), compare);
	for (size_t i = 0; i < p->n; i++) {
		if (n && !strcmp(p->items[n - 1].name, p->items[i].name)) {
			p->items[i].name = p->items[n - 1].name;
			if (p->items[n - 1].address == p->items[i].address)
				continue;
		}
		p->items[n++] = p->items[i];
	}
	p->n = n;
}

void points_load(struct points *out, const struct elf_file *elf, struct arena *a)
{
	_cleanup_(error_deinit) struct error e = {};
	struct loading l = {.points = out, .arena = a};
	_cleanup_(freep) struct point *items = NULL;
	int r;

	*out = (struct points){};
	r = elf_file_each_point(elf, add, &l, &e);
	if (r)
		out->trouble = r == -E2BIG ? "it has more than 65536 USDT points"
					   : arena_strdup(a, error_text(&e));
	items = out->items;
	unify(out);
	out->items = arena_array(a, out->n, sizeof(*out->items));
	if (out->n)
		memcpy(out->items, items, out->n * sizeof(*items));
}

const struct point *points_find(const struct points *p, const char *name, size_t *n)
{
	size_t first = 0;

	while (first < p->n && strcmp(p->items[first].name, name) != 0)
		first++;
	*n = 0;
	while (first + *n < p->n && p->items[first + *n].name == p->items[first].name)
		++*n;
	return *n ? &p->items[first] : NULL;
}

uint64_t points_semaphore_at(const struct points *p, uint64_t address)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->items[i].address == address)
			return p->items[i].semaphore;
	return 0;
}
