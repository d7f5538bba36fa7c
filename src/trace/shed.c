// SPDX-License-Identifier: Apache-2.0
/*
 * Puts into force what the budgets say. A shed probe keeps its plan, its slots and their counts;
 * only its sites go, all at once, and are not attached again while it is shed.
 */
#include <math.h>

#include "base/memory.h"
#include "trace/state.h"

static struct account *account_of(struct trace *t, const struct plan_probe *p)
{
	return account_get(&t->slots.accounts, p->config->name);
}

bool probe_is_shed(struct trace *t, const struct plan_probe *p)
{
	return account_of(t, p)->budget.is_shed;
}

/* The sites of an attachment are all one probe's. */
static bool is_of_shed(const struct attachment *a, const void *data)
{
	return probe_is_shed((struct trace *)data, a->sites[0]->planned->probe);
}

static bool look(struct trace *t, uint64_t now_ns)
{
	_cleanup_(freep) struct budget **probes = NULL;
	size_t n = t->plan->n_probes;

	probes = memory_alloc((n + 1) * sizeof(struct budget *));
	for (size_t i = 0; i < n; i++) {
		probes[i] = &account_of(t, &t->plan->probes[i])->budget;
		probes[i]->overhead_ns = view_probe_overhead_ns(&t->view->probes[i]);
	}
	return budgets_look(&t->budgets, probes, n, &t->plan->config->overhead, now_ns);
}

bool trace_check_budgets(struct trace *t, uint64_t now_ns)
{
	const struct overhead *limits;

	if (!t->plan)
		return false;
	limits = &t->plan->config->overhead;
	if ((isinf(limits->per_probe) && isinf(limits->total)) || !look(t, now_ns))
		return false;
	detach_where(t, is_of_shed, t);
	attach_planned(t, t->plan);
	view_renew(t);
	return true;
}

void forgive_all(struct trace *t)
{
	for (struct account *a = t->slots.accounts; a; a = a->hh.next)
		budget_forgive(&a->budget, t->budgets.looked_ns);
}
