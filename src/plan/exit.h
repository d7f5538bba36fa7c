/* SPDX-License-Identifier: Apache-2.0 */
/* How the end of a function's calls is to be seen: the rules, in one table. */
#pragma once

#include "code/function.h"
#include "plan/select.h"

/* Whether the end of calls is to be seen by sites on exits, if at all. */
bool exit_is_by_sites(const struct selection *s);

/* Sets s's exit, with the reason where there is none although the probe asks for one, or refuses s
 * where it insists on what isn't safe. */
void exit_choose(struct plan_site *s, const struct function *f, const struct code_function *code,
	struct arena *a);

/* Takes the end of calls away from a site. */
void exit_drop(struct plan_site *s, const char *reason);

/* Whether the probe asks for what only an exit can give. */
bool exit_is_wanted(const struct probe *p);
