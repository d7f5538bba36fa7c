// SPDX-License-Identifier: Apache-2.0
/* A walk's memory, its positions, and the sweep. */
#include "code/walk.h"

#include <string.h>

#include "base/memory.h"

enum { STEPS_PER_INSTRUCTION = 64, STEPS_AT_LEAST = 4096, MOST_BLOCKS = 1 << 17 };

void walk_init(struct walk *w, const struct code_question *question, const struct stepper *stepper)
{
	*w = (struct walk){.question = question, .stepper = stepper};
	for (size_t i = 0; i < question->n_parts; i++)
		w->size += question->parts[i].size;
	w->marks = memory_alloc(w->size + 1);
	w->block_at = memory_alloc((w->size + 1) * sizeof(*w->block_at));
	walk_add_block(w, 0);
	w->marks[0] = 0;
}

void walk_deinit(struct walk *w)
{
	free(w->marks);
	free(w->block_at);
	free(w->blocks);
	free(w->states);
	free(w->pending);
	free(w->ends);
	free(w->tables.tables);
	free(w->named);
	*w = (struct walk){};
}

void walk_give_up(struct walk *w, const char *reason)
{
	if (!w->reason)
		w->reason = reason;
}

const struct code_part *walk_part(const struct walk *w, size_t at, size_t *offset)
{
	const struct code_part *part = w->question->parts;

	for (; at >= part->size; part++)
		at -= part->size;
	*offset = at;
	return part;
}

uint64_t walk_address(const struct walk *w, size_t at)
{
	size_t offset;
	const struct code_part *part = walk_part(w, at, &offset);

	return part->address + offset;
}

/* Some code jumps over the lock prefix of an instruction where a program has one thread: that
 * leads to the instruction all the same. */
static size_t without_prefix(const struct walk *w, size_t at, const uint8_t *byte)
{
	bool is_prefix = w->stepper->skipped_prefix && byte[-1] == w->stepper->skipped_prefix;

	return !(w->marks[at] & MARK_START) && is_prefix && w->marks[at - 1] & MARK_START ? at - 1
											  : at;
}

bool walk_find(const struct walk *w, uint64_t address, size_t *at)
{
	const struct code_part *part = w->question->parts;
	size_t base = 0;

	for (size_t i = 0; i < w->question->n_parts; i++, base += part->size, part++) {
		uint64_t offset = address - part->address;

		if (offset >= part->size)
			continue;
		*at = base + offset;
		if (offset)
			*at = without_prefix(w, *at, part->bytes + offset);
		return true;
	}
	return false;
}

size_t walk_add_block(struct walk *w, size_t at)
{
	size_t state_size = w->stepper->n_registers * sizeof(*w->states);

	w->marks[at] |= MARK_BRANCHED;
	if (w->block_at[at])
		return w->block_at[at] - 1;
	if (w->n_blocks == MOST_BLOCKS) {
		walk_give_up(w, "it has too many branches");
		return 0;
	}
	if (w->n_blocks == w->block_capacity) {
		w->block_capacity = w->block_capacity ? 2 * w->block_capacity : 32;
		w->blocks = memory_grow(w->blocks, w->block_capacity, sizeof(*w->blocks));
		w->states = memory_grow(w->states, w->block_capacity, state_size);
	}
	w->blocks[w->n_blocks] = (struct block){.at = at};
	w->block_at[at] = (uint32_t)++w->n_blocks;
	return w->n_blocks - 1;
}

static bool is_inside(const struct walk *w, const struct step *s, size_t *target)
{
	return s->target && walk_find(w, s->target, target);
}

static void add_named(struct walk *w, uint64_t address)
{
	if (w->n_named == w->named_capacity) {
		w->named_capacity = w->named_capacity ? 2 * w->named_capacity : 16;
		w->named = memory_grow(w->named, w->named_capacity, sizeof(*w->named));
	}
	w->named[w->n_named++] = address;
}

/* Notes where a swept instruction leads. */
static void note(struct walk *w, size_t at, const struct step *s)
{
	bool is_jump = s->flow == FLOW_JUMP || s->flow == FLOW_BRANCH;
	size_t target;

	w->marks[at] |= MARK_START | (s->traits & STEP_IS_PADDING ? MARK_PADDING : 0);
	w->traits |= s->traits & STEP_CALLS;
	if (s->traits & STEP_NAMES_DATA)
		add_named(w, s->target);
	if (s->flow == FLOW_CALL && is_inside(w, s, &target) && target)
		walk_give_up(w, "it calls a part of itself, which returns as the function does");
	if (is_jump && is_inside(w, s, &target)) {
		w->n_restarts += !target;
		walk_add_block(w, target);
	} else if (is_jump || s->flow == FLOW_RETURN || s->flow == FLOW_INDIRECT ||
		   s->flow == FLOW_ODD) {
		w->marks[at] |= MARK_ENDS;
	}
}

/* Data among the code: what comes next is where a branch leads. */
static size_t skip_data(const struct walk *w, size_t at, size_t end)
{
	do
		at++;
	while (at < end && !(w->marks[at] & MARK_BRANCHED));
	return at;
}

static void sweep_part(struct walk *w, const struct code_part *part, size_t base)
{
	size_t offset = 0;
	struct step s;

	while (offset < part->size) {
		if (!w->stepper->take(part->bytes + offset, part->size - offset,
			    part->address + offset, NULL, &s)) {
			offset = skip_data(w, base + offset, base + part->size) - base;
			continue;
		}
		note(w, base + offset, &s);
		w->n_instructions++;
		offset += s.size;
	}
}

void walk_sweep(struct walk *w)
{
	const struct code_question *q = w->question;
	size_t base = 0, at;

	for (size_t i = 0; i < q->n_entries; i++)
		if (walk_find(w, q->entries[i], &at) && at)
			walk_add_block(w, at);
	for (size_t i = 0; i < q->n_parts; base += q->parts[i++].size)
		sweep_part(w, &q->parts[i], base);
	w->budget = w->n_instructions * STEPS_PER_INSTRUCTION + STEPS_AT_LEAST;
}
