// SPDX-License-Identifier: Apache-2.0
/*
 * The flow of control, followed with what is known of the registers.
 *
 * A block is a place to which branches lead; it keeps what all ways to it agree on. Where a new
 * way knows less, the block is followed again, until nothing changes: knowledge only shrinks, so
 * that ends.
 *
 * Nothing says which functions don't return. But where the code behind a call would be reached
 * with another stack pointer than by a branch, the call is one of those: the compiler put the
 * next piece of code there. That, and a jump table that leads into the middle of what was
 * followed already, is learnt on the way; then everything is followed anew.
 *
 * In Go's code nothing belongs to others. What no way leads to is followed with a frame in place:
 * where a function goes on after a panic is only in tables, and so are the targets of its jumps by
 * tables. A jump back to the first instruction begins the call anew, with all as it was then.
 */
#include "code/walk.h"

#include <string.h>

#include "base/memory.h"

enum { MOST_ROUNDS = 32, MOST_ENDS = 4096 };

static struct value *state_of(struct walk *w, size_t block)
{
	return w->states + block * w->stepper->n_registers;
}

/* Blocks wait in a heap, the first in the function on top: what comes first is mostly known before
 * what follows from it, so that few blocks are followed twice. */
static bool comes_before(const struct walk *w, size_t a, size_t b)
{
	return w->blocks[w->pending[a]].at < w->blocks[w->pending[b]].at;
}

static void swap_pending(struct walk *w, size_t a, size_t b)
{
	size_t block = w->pending[a];

	w->pending[a] = w->pending[b];
	w->pending[b] = block;
}

static void add_pending(struct walk *w, size_t block)
{
	size_t at = w->n_pending;

	if (w->blocks[block].is_pending)
		return;
	w->blocks[block].is_pending = true;
	if (w->n_pending == w->pending_capacity) {
		w->pending_capacity = w->pending_capacity ? 2 * w->pending_capacity : 32;
		w->pending = memory_grow(w->pending, w->pending_capacity, sizeof(*w->pending));
	}
	w->pending[w->n_pending++] = block;
	for (; at && comes_before(w, at, (at - 1) / 2); at = (at - 1) / 2)
		swap_pending(w, at, (at - 1) / 2);
}

static size_t take_pending(struct walk *w)
{
	size_t block = w->pending[0], at = 0, next = 1;

	w->blocks[block].is_pending = false;
	w->pending[0] = w->pending[--w->n_pending];
	for (; next < w->n_pending; next = 2 * at + 1) {
		if (next + 1 < w->n_pending && comes_before(w, next + 1, next))
			next++;
		if (!comes_before(w, next, at))
			break;
		swap_pending(w, at, next);
		at = next;
	}
	return block;
}

static bool are_equal(struct value a, struct value b)
{
	return a.kind == b.kind && a.number == b.number;
}

static struct value merge_stack(struct value a, struct value b)
{
	if (a.kind == VALUE_SOME_FRAME)
		return b;
	return b.kind == VALUE_SOME_FRAME ? a : value_of(VALUE_FRAME, 0);
}

static struct value merge(struct value a, struct value b)
{
	if (are_equal(a, b))
		return a;
	if (value_is_on_stack(a) && value_is_on_stack(b))
		return merge_stack(a, b);
	if (value_is_within(a, UINT32_MAX) && value_is_within(b, UINT32_MAX))
		return value_of(VALUE_LIMITED, UINT32_MAX);
	return value_of(VALUE_UNKNOWN, 0);
}

static bool stack_differs(const struct walk *w, const struct value *a, const struct value *b)
{
	unsigned sp = w->stepper->stack_register;

	return a[sp].kind == VALUE_STACK && b[sp].kind == VALUE_STACK &&
	       a[sp].number != b[sp].number;
}

static void copy_state(struct walk *w, size_t block, const struct value *values)
{
	memcpy(state_of(w, block), values, w->stepper->n_registers * sizeof(*values));
	w->blocks[block].is_reached = true;
	add_pending(w, block);
}

static void learn_no_return(struct walk *w, size_t call)
{
	w->marks[call - 1] |= MARK_NO_RETURN;
	w->is_stale = true;
}

static void merge_state(struct walk *w, size_t block, const struct value *values)
{
	struct value *known = state_of(w, block);
	bool is_less = false;

	if (!memcmp(known, values, w->stepper->n_registers * sizeof(*values)))
		return;
	for (size_t i = 0; i < w->stepper->n_registers; i++) {
		struct value merged = merge(known[i], values[i]);

		is_less |= !are_equal(merged, known[i]);
		known[i] = merged;
	}
	if (is_less)
		add_pending(w, block);
}

/* Control comes to a block; call: it fell there from behind that call (plus one), or 0. */
static void arrive(struct walk *w, size_t block, const struct state *s, size_t call)
{
	struct block *b = &w->blocks[block];
	const struct value *values = s->registers.values;

	if (!b->is_reached) {
		b->call = call;
		copy_state(w, block, values);
	} else if (!stack_differs(w, state_of(w, block), values)) {
		b->call = call ? b->call : 0;
		merge_state(w, block, values);
	} else if (call) {
		learn_no_return(w, call);
	} else if (b->call) {
		learn_no_return(w, b->call);
		b->call = 0;
		copy_state(w, block, values);
	} else {
		merge_state(w, block, values);
	}
}

/* Control comes to a position inside by a branch. */
static void arrive_at(struct walk *w, size_t at, const struct state *s)
{
	if (!(w->marks[at] & MARK_START)) {
		walk_give_up(w, "a branch leads into the middle of an instruction");
		return;
	}
	if (!w->block_at[at] && w->marks[at] & MARK_REACHED)
		w->is_stale = true;
	arrive(w, walk_add_block(w, at), s, 0);
}

static struct end *end_at(struct walk *w, size_t at)
{
	for (size_t i = w->n_ends; i--;)
		if (w->ends[i].at == at)
			return &w->ends[i];
	if (w->n_ends == MOST_ENDS) {
		walk_give_up(w, "far too many exits");
		return NULL;
	}
	w->ends = memory_grow(w->ends, w->n_ends + 1, sizeof(*w->ends));
	return &w->ends[w->n_ends++];
}

static void add_end(struct walk *w, size_t at, enum code_exit_kind kind, const struct step *step,
	const struct state *s)
{
	struct end *end = end_at(w, at);

	if (end)
		*end = (struct end){
			.at = at,
			.kind = kind,
			.stack = s->registers.values[w->stepper->stack_register],
			.target = step->target,
			.condition = step->condition,
			.is_indexed = step->traits & STEP_IS_INDEXED,
		};
}

static void follow_jump(struct walk *w, size_t from, enum code_exit_kind kind,
	const struct step *step, const struct state *s)
{
	size_t target;

	if (!walk_find(w, step->target, &target))
		add_end(w, from, kind, step, s);
	else if (target || !w->question->is_go)
		arrive_at(w, target, s);
}

/* What a comparison says of a register holds on one of the two ways alone. */
static void follow_branch(struct walk *w, size_t from, const struct step *step, struct state *s)
{
	struct value *bounded = &s->registers.values[step->bound_register], unbounded = *bounded;

	if (step->bound.kind && step->bound_if_taken)
		*bounded = step->bound;
	follow_jump(w, from, CODE_EXIT_CONDITIONAL, step, s);
	*bounded = step->bound.kind && !step->bound_if_taken ? step->bound : unbounded;
}

static void follow_indirect(
	struct walk *w, size_t from, const struct step *step, const struct state *s)
{
	_cleanup_(freep) size_t *targets = NULL;
	size_t n = 0;

	if (step->through.kind != VALUE_TARGET ||
		!table_read(w, &w->tables.tables[step->through.number], &targets, &n)) {
		if (!w->question->is_go || !(step->traits & STEP_IS_INDEXED))
			add_end(w, from, CODE_EXIT_INDIRECT, step, s);
		return;
	}
	for (size_t i = 0; i < n; i++)
		arrive_at(w, targets[i], s);
}

/* Takes one instruction's way on. false when control doesn't go on behind it. */
static bool follow_step(struct walk *w, size_t at, const struct step *step, struct state *s)
{
	switch (step->flow) {
	case FLOW_JUMP:
		follow_jump(w, at, CODE_EXIT_JUMP, step, s);
		return false;
	case FLOW_BRANCH:
		follow_branch(w, at, step, s);
		return true;
	case FLOW_RETURN:
		add_end(w, at, CODE_EXIT_RETURN, step, s);
		return false;
	case FLOW_INDIRECT:
		follow_indirect(w, at, step, s);
		return false;
	case FLOW_ODD:
		walk_give_up(w, "it leaves in an unusual way");
		return false;
	case FLOW_CALL:
		return !(w->marks[at] & MARK_NO_RETURN);
	default:
		return step->flow != FLOW_STOP;
	}
}

/* The call that control has just come back from, if so, through padding too. */
static size_t call_behind(size_t call, size_t at, const struct step *step)
{
	if (step->flow == FLOW_CALL)
		return at + 1;
	return step->traits & STEP_IS_PADDING ? call : 0;
}

/* Why control can't be at a position, though it came there; or NULL. */
static const char *dead_end(
	const struct walk *w, const struct code_part *part, size_t offset, size_t at)
{
	if (offset >= part->size)
		return "its end runs on into what lies behind it";
	if (!(w->marks[at] & MARK_START))
		return "it contains bytes that are no known instruction";
	return w->budget ? NULL : "its flow of control is too tangled";
}

static void follow_block(struct walk *w, size_t block)
{
	struct state s = {.tables = &w->tables};
	size_t start = w->blocks[block].at, at = start, offset, call = 0;
	const struct code_part *part = walk_part(w, at, &offset);
	struct step step = {};
	bool goes_on = true;

	memcpy(s.registers.values, state_of(w, block),
		w->stepper->n_registers * sizeof(struct value));
	for (; goes_on; at += step.size, offset += step.size) {
		const char *why = dead_end(w, part, offset, at);

		if (why) {
			if (offset < part->size || !call)
				walk_give_up(w, why);
			return;
		}
		if (at != start && w->block_at[at]) {
			arrive(w, w->block_at[at] - 1, &s, call);
			return;
		}
		w->budget--;
		w->marks[at] |= MARK_REACHED;

		w->stepper->take(part->bytes + offset, part->size - offset, part->address + offset,
			&s, &step);

		w->traits |= step.traits & ~(unsigned)STEP_CALLS;
		call = call_behind(call, at, &step);
		goes_on = follow_step(w, at, &step, &s);
	}
}

/* As control comes in elsewhere than at the entry: with the frame that the function has there. */
static struct state state_inside(const struct walk *w)
{
	struct state s = {};

	s.registers.values[w->stepper->stack_register] = value_of(VALUE_SOME_FRAME, 0);
	s.registers.values[w->stepper->frame_register] = value_of(VALUE_SOME_FRAME, 0);
	return s;
}

/* At the entry it comes with the stack as the call left it. */
static void come_in(struct walk *w)
{
	const struct code_question *q = w->question;
	struct state s = {}, inside = state_inside(w);
	size_t at;

	s.registers.values[w->stepper->stack_register] = value_of(VALUE_STACK, 0);
	if (w->stepper->link)
		s.registers.values[__builtin_ctz(w->stepper->link)] = value_of(VALUE_RETURN, 0);
	arrive(w, 0, &s, 0);
	for (size_t i = 0; i < q->n_entries; i++)
		if (walk_find(w, q->entries[i], &at) && at)
			arrive_at(w, at, &inside);
}

/* Comes to the first instruction from *at on that no way leads to; false: there is none. */
static bool come_to_leftover(struct walk *w, size_t *at)
{
	struct state inside = state_inside(w);

	for (; *at < w->size; ++*at) {
		uint8_t marks = w->marks[*at];

		if (!(marks & MARK_START) || marks & (MARK_REACHED | MARK_PADDING))
			continue;
		arrive_at(w, *at, &inside);
		return true;
	}
	return false;
}

static void follow_all(struct walk *w)
{
	size_t at = 0;

	come_in(w);
	do
		while (w->n_pending && !w->reason)
			follow_block(w, take_pending(w));
	while (w->question->is_go && !w->reason && !w->is_stale && come_to_leftover(w, &at));
}

static void forget(struct walk *w)
{
	for (size_t i = 0; i < w->size; i++)
		w->marks[i] &= (uint8_t)~MARK_REACHED;
	for (size_t i = 0; i < w->n_blocks; i++)
		w->blocks[i] = (struct block){.at = w->blocks[i].at};
	w->n_pending = 0;
	w->n_ends = 0;
	w->traits &= STEP_CALLS;
	w->is_stale = false;
}

void walk_follow(struct walk *w)
{
	for (size_t rounds = 0; !w->reason; rounds++) {
		follow_all(w);
		if (!w->is_stale)
			return;
		if (rounds == MOST_ROUNDS)
			walk_give_up(w, "its flow of control is too tangled");
		forget(w);
	}
}
