// SPDX-License-Identifier: Apache-2.0
/*
 * Calls that were inlined. Of a function with such calls, a table of values tells for each
 * instruction by which of them it came in (-1: by none), as an index into a list of calls, which
 * names the function that was called. A call to which no instruction belongs was optimized away.
 *
 * The lists lie together in read-only data, or in newer releases behind the tables. The word of
 * moduledata that says where has moved from one release to another; the right one is told by what
 * it leads to: names that are beginnings of names, and places within the caller.
 */
#include "elf/go_table.h"
#include "elf/layout.h"

#include <errno.h>
#include <string.h>

#include "base/memory.h"

enum {
	N_VALUES = 24, /* in a record, from behind the address */
	CALL_INDICES = 2,
	CALLS = 3,
	NO_CALLS = UINT32_MAX,
	MOST_CALLS = 65536, /* of a function */
	MOST_TREES_TRIED = 64,
};

/* The inlined calls of one function. */
struct calls {
	uint8_t *bytes;
	bool *is_seen;
	size_t n;
};

static void calls_deinit(struct calls *c)
{
	free(c->bytes);
	free(c->is_seen);
}

/* The n-th word of what follows a record; NO_CALLS behind the tables. */
static uint32_t word_behind(const struct go_table *t, uint64_t record, uint64_t n)
{
	uint64_t offset = t->header.layout->record_size + 4 * n;

	return offset + 4 <= t->module.size - record ? go_record_word(t, record, offset) : NO_CALLS;
}

static struct go_values indices(const struct go_table *t, const struct go_function *f)
{
	uint32_t n = go_record_word(t, f->record, t->header.layout->address_size + N_VALUES);

	return go_values_begin(t, n > CALL_INDICES ? word_behind(t, f->record, CALL_INDICES) : 0,
		f->address, f->address + f->size);
}

/* Where the list is, from where all are. */
static uint32_t list_offset(const struct go_table *t, const struct go_function *f)
{
	uint64_t n_values = go_record_word(t, f->record, t->header.layout->address_size + N_VALUES);
	uint8_t n_lists = t->bytes[f->record + t->header.layout->record_size - 1];

	return n_lists > CALLS ? word_behind(t, f->record, n_values + CALLS) : NO_CALLS;
}

static void see_calls(struct calls *out, struct go_values v)
{
	while (go_values_next(&v))
		if (v.value >= 0 && (size_t)v.value < out->n)
			out->is_seen[v.value] = true;
}

/* -ENODATA where it contradicts itself. */
static int read_calls(
	struct calls *out, const struct go_table *t, uint64_t base, const struct go_function *f)
{
	struct go_values first = indices(t, f), v = first;
	uint32_t offset = list_offset(t, f);
	uint64_t size;

	if (offset == NO_CALLS)
		return 0;
	while (go_values_next(&v))
		if (v.value >= 0 && (size_t)v.value >= out->n)
			out->n = (size_t)v.value + 1;
	size = out->n * t->header.layout->call_size;
	if (v.is_broken || out->n > MOST_CALLS || !segment_has(t->file, base + offset, size))
		return -ENODATA;
	out->bytes = memory_alloc(size + 1);
	out->is_seen = memory_alloc(out->n + 1);
	see_calls(out, first);
	return elf_file_read_address(t->file, base + offset, out->bytes, size) ? -ENODATA : 0;
}

static uint32_t call_word(const struct go_table *t, const struct calls *c, size_t i, uint8_t at)
{
	uint32_t word;

	memcpy(&word, c->bytes + i * t->header.layout->call_size + at, sizeof(word));
	return word;
}

/* NULL for a call that can't be one. */
static const char *callee(
	const struct go_table *t, const struct go_function *f, const struct calls *c, size_t i)
{
	uint32_t name = call_word(t, c, i, t->header.layout->callee);
	const uint8_t *first = t->bytes + t->header.names;

	if (name >= t->header.files - t->header.names || !first[name] ||
		(name && first[name - 1]) ||
		call_word(t, c, i, t->header.layout->call_at) >= f->size)
		return NULL;
	return (const char *)first + name;
}

static int visit_calls(const struct go_table *t, uint64_t base, const struct go_function *f,
	go_inlined_visit *visit, void *data)
{
	_cleanup_(calls_deinit) struct calls c = {};
	int r = read_calls(&c, t, base, f);

	for (size_t i = 0; i < c.n && !r; i++) {
		const char *name = c.is_seen[i] ? callee(t, f, &c, i) : NULL;

		if (c.is_seen[i])
			r = name ? visit(name, f, data) : -ENODATA;
	}
	return r;
}

static int count(const char *callee, const struct go_function *caller, void *data)
{
	(void)callee;
	(void)caller;
	++*(size_t *)data;
	return 0;
}

/* Whether the first functions that have inlined calls make sense, if that is where they are. */
static bool makes_sense(const struct go_table *t, uint64_t base)
{
	struct go_function f;
	size_t n_trees = 0;

	for (size_t i = 0; i < t->header.n_functions && n_trees < MOST_TREES_TRIED; i++) {
		size_t n_calls = 0;

		go_table_get(t, i, &f);
		if (visit_calls(t, base, &f, count, &n_calls))
			return false;
		n_trees += n_calls > 0;
	}
	return n_trees;
}

uint64_t go_inline_find(const struct go_table *t)
{
	for (size_t i = 0; i < ARRAY_SIZE(t->module.inlined); i++)
		if (t->header.layout->inlined[i] && makes_sense(t, t->module.inlined[i]))
			return t->module.inlined[i];
	return 0;
}

int go_table_each_inlined(const struct go_table *t, go_inlined_visit *visit, void *data)
{
	struct go_function f;
	int r = t->inlined ? 0 : -ENODATA;

	for (size_t i = 0; i < t->header.n_functions && !r; i++) {
		go_table_get(t, i, &f);
		r = visit_calls(t, t->inlined, &f, visit, data);
	}
	return r;
}
