// SPDX-License-Identifier: Apache-2.0
#include "plan/plan.h"

const char *plan_state_name(enum plan_state s)
{
	static const char *const names[] = {
		[PLAN_READY] = "ready",
		[PLAN_PARTLY] = "partly",
		[PLAN_WAITING] = "waiting",
		[PLAN_REFUSED] = "refused",
	};

	return names[s];
}

const char *exit_kind_name(enum exit_kind e)
{
	static const char *const names[] = {
		[EXIT_BY_NONE] = "none",
		[EXIT_BY_URETPROBE] = "uretprobe",
		[EXIT_BY_EXITS] = "exits",
	};

	return names[e];
}

void plan_free(struct plan *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->n_targets; i++)
		target_unref(p->targets[i]);
	free(p->targets);
	arena_free(p->arena);
	free(p);
}
