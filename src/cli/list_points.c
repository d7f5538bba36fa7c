// SPDX-License-Identifier: Apache-2.0
#include "cli/list_points.h"

#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "cli/printable.h"
#include "cli/site_json.h"

struct list_point {
	char *name, *arguments, *refusal;
	bool has_semaphore;
	enum cost_class cost; /* of the dearest place that isn't refused */
	uint64_t *addresses;
	size_t n, n_refused;
};

void list_points_deinit(struct list_points *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->items[i].name);
		free(l->items[i].arguments);
		free(l->items[i].refusal);
		free(l->items[i].addresses);
	}
	free(l->items);
}

static char *copy(const char *text)
{
	return text ? memory_strdup(text) : NULL;
}

/* The point of that name, if it is the last one; else a new one. */
static struct list_point *point_of(
	struct list_points *l, const struct plan_site *s, const char *name)
{
	if (l->n && !strcmp(l->items[l->n - 1].name, name))
		return &l->items[l->n - 1];
	if (l->n == l->capacity) {
		l->capacity = l->capacity ? 2 * l->capacity : 64;
		l->items = memory_grow(l->items, l->capacity, sizeof(*l->items));
	}
	l->items[l->n] = (struct list_point){
		.name = copy(name),
		.arguments = copy(s->point->arguments),
		.cost = COST_NOP5,
	};
	return &l->items[l->n++];
}

void list_points_add(const struct plan_site *s, const char *label, void *list_points)
{
	struct list_point *p = point_of(list_points, s, label);

	p->addresses = memory_grow(p->addresses, p->n + 1, sizeof(*p->addresses));
	p->addresses[p->n++] = s->address;
	p->has_semaphore |= s->point->is_guarded;
	if (!s->refusal) {
		p->cost = s->cost > p->cost ? s->cost : p->cost;
		return;
	}
	p->n_refused++;
	if (!p->refusal)
		p->refusal = copy(s->refusal);
}

/* NULL where no place can be probed. */
static const char *cost_of(const struct list_point *p)
{
	return p->n_refused < p->n ? cost_class_name(p->cost) : NULL;
}

static void put_point(const struct list_point *p, FILE *out)
{
	const char *cost = cost_of(p);

	fprintf(out, "%6zu  %-9s  %-7s  ", p->n, p->has_semaphore ? "yes" : "-",
		cost ? cost : "refused");
	printable_put(p->name, out);
	if (p->arguments) {
		fputs("  ", out);
		printable_put(p->arguments, out);
	}
	if (p->n_refused) {
		fputs("  (", out);
		if (p->n_refused < p->n)
			fprintf(out, "%zu refused: ", p->n_refused);
		printable_put(p->refusal, out);
		fputc(')', out);
	}
	fputc('\n', out);
}

void list_points_put(const struct list_points *l, FILE *out)
{
	if (!l->n)
		return;
	fputs("PLACES  SEMAPHORE  COST     USDT POINT  ARGUMENTS\n", out);
	for (size_t i = 0; i < l->n; i++)
		put_point(&l->items[i], out);
}

static json_t *point_json(const struct list_point *p)
{
	json_t *addresses = json_array();

	for (size_t i = 0; i < p->n; i++)
		json_array_append_new(addresses, json_sprintf("0x%" PRIx64, p->addresses[i]));
	return json_pack("{so sI sI so so sb so so}", "point", text_json(p->name), "places",
		(json_int_t)p->n, "refused", (json_int_t)p->n_refused, "addresses", addresses,
		"arguments", text_json(p->arguments), "semaphore", p->has_semaphore, "cost",
		text_json(cost_of(p)), "refusal", text_json(p->refusal));
}

json_t *list_points_json(const struct list_points *l)
{
	json_t *points = json_array();

	for (size_t i = 0; i < l->n; i++)
		json_array_append_new(points, point_json(&l->items[i]));
	return points;
}
