// SPDX-License-Identifier: Apache-2.0
/*
 * A probe is shed when it was above its limit at two looks in a row, so that a burst that ends
 * within one is let pass. Where all together are above theirs, again at two looks, the costliest go
 * until the rest is within it. Who was shed is tried again after a while, each time a longer one;
 * who then stays within its limits for the longest of them begins anew.
 */
#include "trace/budget.h"

#include "base/memory.h"

#define SECOND_NS 1000000000ULL

enum { LOOKS = 2, SHED_SECONDS_FIRST = 30, SHED_SECONDS_MOST = 15 * 60 };

static const uint64_t closest_looks_ns = SECOND_NS;

static void change(struct budget *b, bool is_shed, uint64_t now_ns)
{
	b->is_shed = is_shed;
	b->has_changed = true;
	b->changed_ns = now_ns;
	b->n_over = 0;
}

static void shed(struct budget *b, bool is_of_total, uint64_t now_ns)
{
	bool is_relapse = b->n_sheddings && now_ns - b->changed_ns < SHED_SECONDS_MOST * SECOND_NS;

	b->shed_seconds = is_relapse ? 2 * b->shed_seconds : SHED_SECONDS_FIRST;
	if (b->shed_seconds > SHED_SECONDS_MOST)
		b->shed_seconds = SHED_SECONDS_MOST;
	b->shed_cores = b->cores;
	b->is_of_total = is_of_total;
	b->n_sheddings++;
	change(b, true, now_ns);
}

void budget_forgive(struct budget *b, uint64_t now_ns)
{
	if (!b->is_shed)
		return;
	change(b, false, now_ns);
	b->shed_seconds = SHED_SECONDS_FIRST / 2;
}

char *budget_reason(const struct budget *b, const struct overhead *limits)
{
	if (!b->is_shed)
		return NULL;
	if (b->is_of_total)
		return memory_printf("shed: it cost %.3g CPU cores, the most of all probes, which "
				     "together cost more than the %g of `overhead: total`; tried "
				     "again after %u s",
			b->shed_cores, limits->total, b->shed_seconds);
	return memory_printf("shed: it cost %.3g CPU cores, more than the %g of `overhead: "
			     "per_probe`; tried again after %u s",
		b->shed_cores, limits->per_probe, b->shed_seconds);
}

static void measure(struct budget *b, double seconds, double limit)
{
	b->has_changed = false;
	b->cores = (double)(b->overhead_ns - b->seen_ns) / 1e9 / seconds;
	b->seen_ns = b->overhead_ns;
	b->n_over = !b->is_shed && b->cores > limit ? b->n_over + 1 : 0;
}

static struct budget *costliest(struct budget **probes, size_t n)
{
	struct budget *found = NULL;

	for (size_t i = 0; i < n; i++)
		if (!probes[i]->is_shed && (!found || probes[i]->cores > found->cores))
			found = probes[i];
	return found;
}

static void shed_costliest(
	struct budgets *all, struct budget **probes, size_t n, double limit, uint64_t now_ns)
{
	struct budget *b;

	all->n_over = all->cores > limit ? all->n_over + 1 : 0;
	while (all->n_over >= LOOKS && all->cores > limit && (b = costliest(probes, n))) {
		all->cores -= b->cores;
		shed(b, true, now_ns);
	}
}

static void decide(struct budget *b, uint64_t now_ns)
{
	if (b->n_over >= LOOKS)
		shed(b, false, now_ns);
	else if (b->is_shed && now_ns - b->changed_ns >= b->shed_seconds * SECOND_NS)
		change(b, false, now_ns);
}

bool budgets_look(struct budgets *all, struct budget **probes, size_t n,
	const struct overhead *limits, uint64_t now_ns)
{
	double seconds = (double)(now_ns - all->looked_ns) / 1e9;
	bool is_first = !all->looked_ns, has_changed = false;

	if (!is_first && now_ns - all->looked_ns < closest_looks_ns)
		return false;
	all->looked_ns = now_ns;
	all->cores = 0;
	for (size_t i = 0; i < n; i++) {
		measure(probes[i], seconds, limits->per_probe);
		if (is_first)
			probes[i]->n_over = 0;
		decide(probes[i], now_ns);
		all->cores += probes[i]->is_shed ? 0 : probes[i]->cores;
	}
	if (!is_first)
		shed_costliest(all, probes, n, limits->total, now_ns);
	for (size_t i = 0; i < n; i++)
		has_changed |= probes[i]->has_changed;
	return has_changed;
}
