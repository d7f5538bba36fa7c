// SPDX-License-Identifier: Apache-2.0
/*
 * A handful of figures is measured, and the others follow: what the end of a call costs does not
 * depend on the entry's instruction, and what that costs more than another comes after the handler
 * has taken the time, and so is in the duration.
 */
#include "trace/cost.h"

uint32_t cost_of_call(const struct costs *c, enum cost_class entry, enum exit_kind exit,
	enum cost_class exit_class)
{
	uint32_t at_exit = exit == EXIT_BY_EXITS ? c->hit[exit_class] : 0;

	if (!c->hit[entry] || (exit == EXIT_BY_EXITS && !at_exit))
		return 0;
	return c->hit[entry] + c->end[exit] + at_exit;
}

uint32_t cost_of_site(const struct costs *c, const struct plan_site *s)
{
	enum cost_class dearest = COST_NOP;

	for (size_t i = 0; i < s->n_exits; i++)
		if (c->hit[s->exits[i].cost] > c->hit[dearest])
			dearest = s->exits[i].cost;
	return cost_of_call(c, s->cost, s->exit, dearest);
}

uint32_t cost_floor(const struct costs *c, enum cost_class entry, enum exit_kind exit)
{
	uint32_t base = c->hit[c->floor_class], hit = c->hit[entry];

	if (!hit || !c->floor[exit])
		return 0;
	return hit > base ? c->floor[exit] + (hit - base) : c->floor[exit];
}
