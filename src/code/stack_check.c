// SPDX-License-Identifier: Apache-2.0
/*
 * Most of Go's functions begin by comparing the stack pointer with a bound. Where there is no room
 * left, or the goroutine is to make way for others, a branch leads to the function's end: there
 * arguments are saved, the runtime is called, and once it has moved the stack the function begins
 * anew. (A large frame takes two comparisons.) So the first instruction is executed more than once
 * a call, and the way behind the last of these branches once, if it is not taken and nothing else
 * leads back. Emulating a branch costs little, and all registers that carry something are as they
 * were.
 */
#include "code/stack_check.h"

enum { MOST_CHECKING = 8, MOST_SAVING = 96 };

static bool take_at(const struct walk *w, size_t at, struct state *state, struct step *out)
{
	const struct code_part *p = w->question->parts;

	return at < p->size && w->marks[at] & MARK_START &&
	       w->stepper->take(p->bytes + at, p->size - at, p->address + at, state, out);
}

/* Where the way from an address goes back to the first instruction, having done no more than to
 * save registers and to call; 0: it doesn't. */
static size_t way_back(const struct walk *w, uint64_t address)
{
	struct step s;
	size_t at;

	if (!walk_find(w, address, &at))
		return 0;
	for (unsigned n = 0; n < MOST_SAVING && take_at(w, at, NULL, &s); n++, at += s.size) {
		if (s.flow == FLOW_JUMP)
			return s.target == w->question->parts->address ? at : 0;
		if (s.flow != FLOW_ON && s.flow != FLOW_CALL)
			return 0;
	}
	return 0;
}

/* Whether an instruction only prepares a comparison, or makes it. */
static bool is_harmless(const struct walk *w, size_t at, const struct step *s)
{
	const struct code_part *p = w->question->parts;

	if (w->question->reads_arguments && s->written & walk_arguments(w))
		return false;
	return s->flow == FLOW_ON && !(s->traits & STEP_CALLS) &&
	       !(s->written & 1u << w->stepper->stack_register) &&
	       !w->stepper->hazards(p->bytes + at, p->size - at);
}

bool stack_check_find(const struct walk *w, struct stack_check *out)
{
	struct state state = {};
	struct step s;
	size_t back = 0, at = 0;

	for (unsigned n = 0; n < MOST_CHECKING && take_at(w, at, &state, &s); n++, at += s.size) {
		if (at && w->marks[at] & MARK_BRANCHED)
			break;
		if (s.flow == FLOW_BRANCH && s.condition != STEP_NO_CONDITION) {
			size_t jump = way_back(w, s.target);

			if (!jump || (back && jump != back))
				break;
			back = jump;
			*out = (struct stack_check){.at = at, .condition = s.condition ^ 1};
		} else if (!is_harmless(w, at, &s)) {
			break;
		}
	}
	return back && w->n_restarts == 1;
}

bool goroutine_is_looked_up(const struct walk *w)
{
	struct state state = {};
	struct step s;

	for (size_t at = 0; take_at(w, at, &state, &s) && s.flow != FLOW_CALL; at += s.size)
		if (s.written & 1u << w->stepper->goroutine_register)
			return true;
	return false;
}
