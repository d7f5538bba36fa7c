/* SPDX-License-Identifier: Apache-2.0 */
/* How the end of a function's calls is to be seen: the rules, in one table. */
#pragma once

#include "code/function.h"
#include "plan/select.h"

/* What is known against a return probe before the code was looked at. */
struct exit_objection {
	const char *why; /* NULL: nothing, or the probe asks for no end */
	bool is_total;   /* exits can't tell calls apart either */
	bool is_deadly;  /* a return probe is certain to crash the program */
};

struct exit_objection exit_objection(const struct function *f);

/* Whether the end of calls is to be seen by sites on exits, if at all. */
bool exit_is_by_sites(const struct probe *p, const struct exit_objection *o);

/* Sets s's exit, with the reason where it is no return probe although the probe asks for an end,
 * or refuses s where the probe insists on what isn't safe. */
void exit_choose(struct plan_site *s, const struct function *f, const struct exit_objection *o,
	const struct code_function *code, struct arena *a);

/* Takes the end of calls away from a site. */
void exit_drop(struct plan_site *s, const char *reason);

/* Whether the probe asks for what only an exit can give. */
bool exit_is_wanted(const struct probe *p);
