// SPDX-License-Identifier: Apache-2.0
/*
 * From what was found on the way through a function to what may be said of it.
 *
 * A place where control leaves is an exit when the stack shows that the call ends there: at a
 * return, by what a return is; at a jump out of the function, because the frame is gone and so
 * nothing but the callee's return can come back; at an indirect jump likewise, if besides no code
 * of the function is left over to which it could lead. All else makes the exits unknown.
 */
#include "code/function.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/sorted.h"
#include "code/entry.h"
#include "code/stack_check.h"
#include "code/walk.h"

enum leftover { LEFTOVER_NONE, LEFTOVER_CODE, LEFTOVER_EXIT };

/* Code that nothing seems to lead to: landing pads, or targets of a jump that isn't understood. */
static enum leftover find_leftover(const struct walk *w)
{
	enum leftover found = LEFTOVER_NONE;

	for (size_t at = 0; at < w->size; at++) {
		uint8_t marks = w->marks[at];

		if (!(marks & MARK_START) || marks & (MARK_REACHED | MARK_PADDING))
			continue;
		if (marks & MARK_ENDS)
			return LEFTOVER_EXIT;
		found = LEFTOVER_CODE;
	}
	return found;
}

static bool has_no_frame(const struct end *e)
{
	return e->stack.kind == VALUE_STACK && !e->stack.number;
}

static bool has_frame(const struct end *e)
{
	return e->stack.kind == VALUE_STACK && e->stack.number;
}

static const char *return_doubt(const struct end *e)
{
	return has_frame(e) ? "it returns with its frame in place: that is a jump" : NULL;
}

/* What Go's own table says of an end. */
static const char *table_doubt(const struct walk *w, const struct end *e)
{
	const struct code_question *q = w->question;

	if (!q->is_go || (q->depth && !q->depth(q->data, walk_address(w, e->at))))
		return NULL;
	return "by Go's own table it ends with its frame in place";
}

static enum code_beginning beginning_of(const struct walk *w, const struct end *e)
{
	const struct code_question *q = w->question;

	return q->begins ? q->begins(q->data, e->target) : CODE_BEGINS_FUNCTION;
}

/* A jump out of the function that is no tail call leads to another part of it. Tail calls on a
 * condition are rare, and branches to unlikely parts are not. */
static bool leads_elsewhere(const struct walk *w, const struct end *e)
{
	enum code_beginning least =
		e->kind == CODE_EXIT_CONDITIONAL ? CODE_BEGINS_FUNCTION : CODE_BEGINS_FRAME;

	if (e->stack.kind != VALUE_STACK)
		least = CODE_BEGINS_FUNCTION;
	return has_frame(e) || beginning_of(w, e) < least;
}

static const char *jump_doubt(const struct walk *w, const struct end *e)
{
	if (has_frame(e))
		return "it jumps elsewhere with its frame in place";
	if (leads_elsewhere(w, e))
		return "it jumps to where no function is known to begin";
	if (!has_no_frame(e) && !w->question->begins)
		return "it jumps elsewhere with a stack that can't be told";
	if (e->kind == CODE_EXIT_CONDITIONAL && e->condition > 15)
		return "it jumps elsewhere on a condition that is not in the flags";
	return NULL;
}

static const char *indirect_doubt(const struct end *e, enum leftover leftover)
{
	if (!has_no_frame(e) || e->is_indexed || leftover != LEFTOVER_NONE)
		return "it has an indirect jump whose targets can't be told";
	return NULL;
}

/* Why an end is no certain exit, or NULL. */
static const char *end_doubt(const struct walk *w, const struct end *e, enum leftover leftover)
{
	switch (e->kind) {
	case CODE_EXIT_RETURN:
		return return_doubt(e);
	case CODE_EXIT_INDIRECT:
		return indirect_doubt(e, leftover);
	default:
		return jump_doubt(w, e);
	}
}

/* Whether nothing comes before a position but an instruction that does nothing (endbr64, bti). */
static bool is_at_once(const struct walk *w, size_t at)
{
	size_t offset;
	const struct code_part *part = walk_part(w, 0, &offset);
	struct state state = {};
	struct step s;

	if (!at)
		return true;
	return w->stepper->take(part->bytes, part->size, part->address, &state, &s) &&
	       s.size == at && s.flow == FLOW_ON && !s.traits && !s.written &&
	       !w->stepper->hazards(part->bytes, part->size);
}

static uint64_t find_lead(const struct walk *w)
{
	const struct end *e = w->ends;
	bool is_jump = w->n_ends == 1 && e->kind == CODE_EXIT_JUMP;

	return is_jump && is_at_once(w, e->at) ? e->target : 0;
}

/* Why the exits can't be told, or NULL. */
static const char *doubt(const struct walk *w)
{
	enum leftover leftover = find_leftover(w);

	if (w->reason)
		return w->reason;
	if (w->traits & STEP_CHANGES_RETURN)
		return "it changes its return address";
	if (w->traits & STEP_SWITCHES_STACK)
		return "it changes to another stack";
	for (size_t i = 0; i < w->n_ends; i++) {
		const char *why = end_doubt(w, &w->ends[i], leftover);

		if (!why)
			why = table_doubt(w, &w->ends[i]);
		if (why)
			return why;
	}
	if (w->question->probes_exits && find_lead(w))
		return "it only jumps to another function";
	if (w->question->probes_exits && w->n_ends && w->ends[0].at == 0)
		return "its first instruction ends it already";
	if (leftover == LEFTOVER_EXIT)
		return "it contains code with an exit that nothing seems to lead to";
	return w->n_ends > CODE_MOST_EXITS ? "it has more than 256 exits" : NULL;
}

static void make_exit(const struct walk *w, const struct end *end, struct code_exit *out)
{
	size_t offset;
	const struct code_part *part = walk_part(w, end->at, &offset);

	*out = (struct code_exit){
		.address = part->address + offset,
		.target = end->kind == CODE_EXIT_JUMP || end->kind == CODE_EXIT_CONDITIONAL
				  ? end->target
				  : 0,
		.kind = end->kind,
		.condition = end->kind == CODE_EXIT_CONDITIONAL ? end->condition : 0,
		.stack_is_known = has_no_frame(end),
	};
	code_examine_entry(w->question->machine, part->bytes + offset, part->size - offset,
		out->address, &out->site);
}

static void forget_exits(struct code_function *f, const char *why)
{
	free(f->exits);
	f->exits = NULL;
	f->n_exits = 0;
	f->n_conditional = 0;
	f->returns_plainly = false;
	f->exits_unknown = why;
}

static void make_exits(const struct walk *w, struct code_function *f)
{
	f->exits = memory_alloc((w->n_ends + 1) * sizeof(*f->exits));
	f->n_exits = w->n_ends;
	f->returns_plainly = true;
	for (size_t i = 0; i < w->n_ends; i++) {
		make_exit(w, &w->ends[i], &f->exits[i]);
		f->n_conditional += f->exits[i].kind == CODE_EXIT_CONDITIONAL;
		f->returns_plainly &= f->exits[i].kind == CODE_EXIT_RETURN;
	}
	qsort(f->exits, f->n_exits, sizeof(*f->exits), sorted_compare);
	for (size_t i = 0; i < f->n_exits; i++)
		if (f->exits[i].site.refusal) {
			forget_exits(f, "it ends at an instruction that can't be probed");
			return;
		}
}

static uint64_t find_elsewhere(const struct walk *w)
{
	for (size_t i = 0; i < w->n_ends; i++) {
		const struct end *e = &w->ends[i];
		bool is_jump = e->kind == CODE_EXIT_JUMP || e->kind == CODE_EXIT_CONDITIONAL;

		if (is_jump && leads_elsewhere(w, e))
			return e->target;
	}
	return 0;
}

static bool jumps_away(const struct walk *w)
{
	for (size_t i = 0; i < w->n_ends; i++)
		if (w->ends[i].kind != CODE_EXIT_RETURN)
			return true;
	return false;
}

static void judge(struct walk *w, struct code_function *out)
{
	out->n_instructions = w->n_instructions;
	out->exits_unknown = doubt(w);
	if (!out->exits_unknown)
		make_exits(w, out);
	out->elsewhere = find_elsewhere(w);
	out->leads_to = find_lead(w);
	out->calls = w->reason || w->traits & STEP_CALLS || jumps_away(w);
	out->touches_return_address =
		w->reason || w->traits & (STEP_TOUCHES_RETURN | STEP_CHANGES_RETURN);
	out->switches_stack = w->traits & STEP_SWITCHES_STACK;
	out->looks_up_goroutine = w->question->is_go && goroutine_is_looked_up(w);
	entry_choose(w, !out->exits_unknown, &out->entry);
}

void code_function_decode(struct code_function *out, const struct code_question *question)
{
	const struct stepper *stepper = stepper_find(question->machine);
	struct walk w;

	*out = (struct code_function){};
	if (!stepper || !question->n_parts || !question->parts[0].size) {
		out->entry.first.refusal = "no code of a machine that is known here";
		out->entry.site = out->entry.first;
		out->exits_unknown = out->entry.first.refusal;
		return;
	}
	walk_init(&w, question, stepper);
	walk_sweep(&w);
	walk_follow(&w);
	judge(&w, out);
	walk_deinit(&w);
}

bool code_begins_instruction(enum elf_machine machine, const struct code_part *code, size_t offset)
{
	const struct stepper *stepper = stepper_find(machine);
	struct step s;
	size_t at = 0;

	while (stepper && at < offset)
		at += stepper->take(code->bytes + at, code->size - at, code->address + at, NULL, &s)
			      ? s.size
			      : 1;
	return at == offset;
}

void code_function_deinit(struct code_function *f)
{
	free(f->exits);
	*f = (struct code_function){};
}
