// SPDX-License-Identifier: Apache-2.0
/*
 * What a Go program's own tables answer: every one has them, and to read them takes a moment, so
 * that no reader is needed.
 *
 * They know functions by name alone. Instances of a generic function share one, and then nothing
 * tells whose copies there are; a function that the compiler made to call another of its name
 * (is_wrapper) has none itself. Nor are they asked about functions in C, which have no package and
 * so no dot. What they leave open, debug information may know.
 */
#include "elf/inlined.h"

#include <errno.h>
#include <string.h>
#include <uthash.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "elf/go.h"

/* What there is of one name. */
struct tally {
	const char *name;  /* the table's or the question's */
	size_t n_entities; /* functions that copies may be of */
	uint32_t n_places;
	const char *callers[INLINED_CALLERS_SHOWN];
	size_t n_callers;
	UT_hash_handle hh;
};

struct tallies {
	struct tally *all; /* uthash by name */
};

static void tallies_deinit(struct tallies *s)
{
	struct tally *t, *next;

	HASH_ITER (hh, s->all, t, next) {
		HASH_DEL(s->all, t);
		free(t);
	}
}

static struct tally *find(const struct tallies *s, const char *name)
{
	struct tally *t;

	HASH_FIND_STR(s->all, name, t);
	return t;
}

static void want(struct tallies *s, const char *name)
{
	struct tally *t;

	if (find(s, name))
		return;
	t = memory_alloc(sizeof(*t));
	t->name = name;
	HASH_ADD_KEYPTR(hh, s->all, t->name, strlen(t->name), t);
}

static void want_all(
	struct tallies *s, const struct go_table *table, const struct inlined_question *q)
{
	struct go_function f;

	for (size_t i = 0; i < q->n_addresses; i++)
		if (!go_table_find(table, q->addresses[i], &f))
			want(s, f.name);
	for (size_t i = 0; i < q->n_names; i++)
		want(s, q->names[i]);
}

static int count_entity(const struct go_function *f, void *data)
{
	struct tally *t = f->is_wrapper ? NULL : find(data, f->name);

	if (t)
		t->n_entities++;
	return 0;
}

static void add_caller(struct tally *t, const char *name)
{
	if (t->n_callers == ARRAY_SIZE(t->callers) || strlen(name) > INLINED_LONGEST_CALLER)
		return;
	for (size_t i = 0; i < t->n_callers; i++)
		if (!strcmp(t->callers[i], name))
			return;
	t->callers[t->n_callers++] = name;
}

static void add_place(struct tally *t, const char *caller)
{
	if (!t)
		return;
	t->n_places++;
	add_caller(t, caller);
}

/* A generic function, main.Map[...], may be meant by main.Map as well. */
static int count_place(const char *callee, const struct go_function *caller, void *data)
{
	static const char types[] = "[...]";
	_cleanup_(buffer_deinit) struct buffer bare = {};
	const char *from = callee, *at;

	add_place(find(data, callee), caller->name);
	while ((at = strstr(from, types))) {
		buffer_append(&bare, from, (size_t)(at - from));
		from = at + strlen(types);
	}
	if (from == callee)
		return 0;
	buffer_puts(&bare, from);
	add_place(find(data, buffer_text(&bare)), caller->name);
	return 0;
}

static struct inlined known(const struct tally *t)
{
	_cleanup_(buffer_deinit) struct buffer callers = {};

	for (size_t i = 0; i < t->n_callers; i++)
		buffer_printf(&callers, "%s%s", i ? ", " : "", t->callers[i]);
	return (struct inlined){
		.is_known = true,
		.n_places = t->n_places,
		.callers = t->n_callers ? memory_strdup(buffer_text(&callers)) : NULL,
	};
}

static struct inlined of_address(
	const struct tallies *s, const struct go_table *table, uint64_t address)
{
	struct go_function f;
	const struct tally *t;

	if (go_table_find(table, address, &f))
		return (struct inlined){};
	t = find(s, f.name);
	if (t->n_places && (f.is_wrapper || t->n_entities > 1))
		return (struct inlined){};
	return known(t);
}

/* An instance of a generic function has another name in the tables. */
static struct inlined of_name(const struct tallies *s, const char *name)
{
	const struct tally *t = find(s, name);

	if (!t->n_places && (!strchr(name, '.') || strchr(name, '[')))
		return (struct inlined){};
	return known(t);
}

int inlined_by_go(
	struct inlined_answer *out, const struct go_table *table, const struct inlined_question *q)
{
	_cleanup_(tallies_deinit) struct tallies s = {};
	int r;

	want_all(&s, table, q);
	go_table_each(table, count_entity, &s);
	r = go_table_each_inlined(table, count_place, &s);
	if (r)
		return r;
	out->n = q->n_addresses + q->n_names;
	out->items = memory_alloc((out->n + 1) * sizeof(*out->items));
	for (size_t i = 0; i < q->n_addresses; i++)
		out->items[i] = of_address(&s, table, q->addresses[i]);
	for (size_t i = 0; i < q->n_names; i++)
		out->items[q->n_addresses + i] = of_name(&s, q->names[i]);
	return 0;
}
