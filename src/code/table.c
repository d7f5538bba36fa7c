// SPDX-License-Identifier: Apache-2.0
/*
 * Where a jump table leads. Its entries are distances from a base or whole addresses, and it lies
 * in the file's constant data. Most have as many entries as the comparison that guards the jump
 * lets through, and then every one must lead to an instruction of the function: one that doesn't
 * is a sign that this is no such table, and nothing is believed of it. Where the compiler knew
 * the range of the index without comparing, the table ends before the first entry that leads
 * elsewhere; one too many then leads to an instruction that is an instruction all the same.
 *
 * A case that the program says can't happen may lead to right behind the function.
 */
#include "code/walk.h"

#include <string.h>

#include "base/memory.h"

enum { CHUNK_ENTRIES = 64, LARGEST_ENTRY = 8, OBJECTS_PER_STEP = 32 };

struct reader {
	const struct walk *walk;
	const struct jump_table *table;
	uint32_t first, n; /* the entries in bytes */
	uint32_t most;     /* that there can be */
	uint8_t bytes[CHUNK_ENTRIES * LARGEST_ENTRY];
};

static bool read_entries(struct reader *r, uint32_t first, uint32_t n)
{
	const struct code_question *q = r->walk->question;
	const struct jump_table *t = r->table;

	if (q->read(q->data, t->address + (uint64_t)first * t->entry_size, r->bytes,
		    (size_t)n * t->entry_size))
		return false;
	r->first = first;
	r->n = n;
	return true;
}

/* Whole chunks as long as there are bytes for them. */
static bool fetch(struct reader *r, uint32_t i)
{
	uint32_t left = r->most - i;

	if (i - r->first < r->n)
		return true;
	return read_entries(r, i, left < CHUNK_ENTRIES ? left : CHUNK_ENTRIES) ||
	       read_entries(r, i, 1);
}

static uint64_t target_of(const struct reader *r, uint32_t i)
{
	const struct jump_table *t = r->table;
	const uint8_t *bytes = r->bytes + (size_t)(i - r->first) * t->entry_size;
	unsigned unused = 64 - 8 * t->entry_size;
	uint64_t raw = 0;

	for (unsigned byte = 0; byte < t->entry_size; byte++)
		raw |= (uint64_t)bytes[byte] << (8 * byte);
	if (t->is_signed)
		raw = (uint64_t)((int64_t)(raw << unused) >> unused);
	return t->base + (raw << t->shift);
}

static bool is_end_of_part(const struct walk *w, uint64_t address)
{
	for (size_t i = 0; i < w->question->n_parts; i++)
		if (address == w->question->parts[i].address + w->question->parts[i].size)
			return true;
	return false;
}

/* Where something else begins: another table of the function, or other data that it uses. */
static uint64_t next_object(const struct walk *w, const struct jump_table *t)
{
	uint64_t next = UINT64_MAX;

	for (size_t i = 0; i < w->tables.n; i++)
		if (w->tables.tables[i].address > t->address && w->tables.tables[i].address < next)
			next = w->tables.tables[i].address;
	for (size_t i = 0; i < w->n_named; i++)
		if (w->named[i] > t->address && w->named[i] < next)
			next = w->named[i];
	return next;
}

/* Looking for the next object takes time, in an enormous function. */
static uint32_t most_entries(struct walk *w, const struct jump_table *t)
{
	size_t cost = (w->tables.n + w->n_named) / OBJECTS_PER_STEP;
	uint64_t most;

	if (t->is_exact)
		return t->most_entries;
	w->budget -= cost < w->budget ? cost : w->budget;
	most = (next_object(w, t) - t->address) / t->entry_size;
	return most < t->most_entries ? (uint32_t)most : t->most_entries;
}

enum found { FOUND_TARGET, FOUND_NOTHING, FOUND_END };

static enum found read_target(struct reader *r, uint32_t i, size_t *target)
{
	const struct walk *w = r->walk;
	uint64_t address;

	if (!fetch(r, i))
		return FOUND_END;
	address = target_of(r, i);
	if (walk_find(w, address, target))
		return w->marks[*target] & MARK_START ? FOUND_TARGET : FOUND_END;
	return is_end_of_part(w, address) ? FOUND_NOTHING : FOUND_END;
}

bool table_read(struct walk *w, const struct jump_table *table, size_t **out, size_t *n)
{
	struct reader r = {.walk = w, .table = table, .most = most_entries(w, table)};
	_cleanup_(freep) size_t *targets = NULL;
	enum found found = FOUND_NOTHING;
	size_t n_targets = 0;

	if (!w->question->read || !r.most)
		return false;
	targets = memory_alloc(r.most * sizeof(*targets));
	for (uint32_t i = 0; i < r.most && w->budget; i++, w->budget--) {
		found = read_target(&r, i, &targets[n_targets]);
		if (found == FOUND_END)
			break;
		n_targets += found == FOUND_TARGET;
	}
	if (!n_targets || !w->budget || (table->is_exact && found == FOUND_END))
		return false;
	*out = TAKE_PTR(targets);
	*n = n_targets;
	return true;
}
