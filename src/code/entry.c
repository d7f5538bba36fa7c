// SPDX-License-Identifier: Apache-2.0
/*
 * Where to put the entry's site. Most instructions are stepped at ten times the price of those
 * that the kernel emulates, and one of those is often near: behind an endbr64 and a move or two
 * there is a push. A site there fires for the same calls with the same return address in place,
 * if what it is moved over doesn't lead elsewhere, and no branch leads in between. The stack may
 * have moved there where who asks can do with that, and nothing else is unknown. What the skipped
 * instructions compute is then done before the clock starts: some nanoseconds, so that the way is
 * kept short.
 *
 * Where a branch leads back to the first instruction, there is a site only where that is Go's check
 * of the stack: on the check's branch.
 */
#include "code/entry.h"

#include "code/stack_check.h"

enum { MOST_SKIPPED = 16 };

static const char loops[] =
	"a branch leads back to its first instruction: each time round would count as a call";

static bool is_usable(const struct walk *w, const struct code_site *s)
{
	return !s->refusal && (s->cost != COST_NOP5 || w->question->allows_nop5);
}

static bool is_cheap(const struct walk *w, const struct code_site *s)
{
	return is_usable(w, s) && s->cost != COST_STEP;
}

/* Whether the stack pointer is at a known place not far below where it was. */
static bool is_depth(struct value stack)
{
	return stack.kind == VALUE_STACK && stack.number <= 0 && stack.number >= -CODE_MOST_DEPTH &&
	       !(stack.number % 8);
}

/* What is asked of a way from the entry to a site. */
struct way {
	struct state state;
	bool allows_depth;
};

/* Why the site can't be moved over an instruction, or NULL. state is that behind it. */
static const char *obstacle(
	const struct walk *w, const struct step *s, unsigned hazards, const struct way *way)
{
	bool reads = w->question->reads_arguments;
	struct value stack = way->state.registers.values[w->stepper->stack_register];

	if (s->flow == FLOW_RETURN)
		return "it returns before a cheap instruction";
	if (s->flow != FLOW_ON || s->traits & STEP_CALLS)
		return "control may leave, or fault, before a cheap instruction";
	if (s->written & 1u << w->stepper->stack_register &&
		!(way->allows_depth && is_depth(stack)))
		return "the stack pointer is moved before a cheap instruction";
	if (s->traits & (STEP_TOUCHES_RETURN | STEP_CHANGES_RETURN) ||
		s->written & w->stepper->link || hazards & HAZARD_USES_RETURN)
		return "the return address is used before a cheap instruction";
	if (hazards & HAZARD_IS_ODD)
		return "control may leave, or fault, before a cheap instruction";
	if (reads && s->written & walk_arguments(w))
		return "an argument is overwritten before a cheap instruction";
	if (reads && hazards & HAZARD_STORES)
		return "memory is written before a cheap instruction";
	return NULL;
}

/* Two sites can't share an instruction. */
static bool is_exit_site(const struct walk *w, size_t at)
{
	if (!w->question->probes_exits)
		return false;
	for (size_t i = 0; i < w->n_ends; i++)
		if (w->ends[i].at == at)
			return true;
	return false;
}

/* Why no site may be put at a position behind what was skipped, or NULL. */
static const char *barrier(const struct walk *w, size_t at)
{
	if (at >= w->question->parts->size || !(w->marks[at] & MARK_REACHED))
		return "nothing cheap comes after it";
	if (w->marks[at] & MARK_BRANCHED)
		return "a branch leads in before a cheap instruction";
	return is_exit_site(w, at) ? "it ends before a cheap instruction" : NULL;
}

static void examine(const struct walk *w, size_t at, struct code_site *out)
{
	const struct code_part *p = w->question->parts;

	code_examine_entry(w->question->machine, p->bytes + at, p->size - at, p->address + at, out);
}

/* Looks for a cheap site, or for a usable one if the first is not; why there is none, or NULL. */
static const char *search(const struct walk *w, struct code_entry *e, bool allows_depth)
{
	const struct code_part *p = w->question->parts;
	struct way way = {.allows_depth = allows_depth};
	struct value *stack = &way.state.registers.values[w->stepper->stack_register];
	struct step step;
	size_t at = 0;

	*stack = value_of(VALUE_STACK, 0);
	for (unsigned n = 0; n < MOST_SKIPPED; n++) {
		struct code_site site;
		const char *why;

		w->stepper->take(p->bytes + at, p->size - at, p->address + at, &way.state, &step);
		why = obstacle(w, &step, w->stepper->hazards(p->bytes + at, p->size - at), &way);
		at += step.size;
		if (!why)
			why = barrier(w, at);
		if (why)
			return why;
		examine(w, at, &site);
		if (!is_cheap(w, &site) && (is_usable(w, &e->site) || !is_usable(w, &site)))
			continue;
		e->site = site;
		e->offset = at;
		e->depth = (uint32_t)-stack->number;
		if (is_cheap(w, &site))
			return NULL;
	}
	return "nothing cheap is near";
}

/* Whether all that could lead in between the entry and the site is known. An indirect jump with
 * a frame in place can't lead to where there is none. */
static bool is_head_known(const struct walk *w)
{
	if (w->reason)
		return false;
	for (size_t i = 0; i < w->n_ends; i++)
		if (w->ends[i].kind == CODE_EXIT_INDIRECT &&
			(w->ends[i].stack.kind != VALUE_STACK || !w->ends[i].stack.number))
			return false;
	return true;
}

/* Puts the site behind Go's check of the stack; false where there is none. */
static bool choose_check(const struct walk *w, struct code_entry *e)
{
	struct stack_check check;
	struct code_site site;

	if (!w->question->is_go || !stack_check_find(w, &check))
		return false;
	examine(w, check.at, &site);
	if (!is_usable(w, &site))
		return false;
	e->site = site;
	e->offset = check.at;
	e->is_conditional = true;
	e->condition = check.condition;
	return true;
}

void entry_choose(const struct walk *w, bool is_known, struct code_entry *out)
{
	*out = (struct code_entry){};
	examine(w, 0, &out->first);
	out->site = out->first;
	if (w->marks[0] & MARK_BRANCHED) {
		if (!choose_check(w, out))
			out->site.refusal = loops;
	} else if (is_cheap(w, &out->first) || !out->first.size) {
		return;
	} else if (!is_known && !is_head_known(w)) {
		out->held_back = "it isn't known where all of its branches lead";
	} else {
		out->held_back = search(w, out, is_known && w->question->allows_depth);
	}
}
