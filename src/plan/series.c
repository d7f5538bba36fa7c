// SPDX-License-Identifier: Apache-2.0
/*
 * Functions of one label are one series, in however many files they are; their ends are seen the
 * same way in all of them, or the histogram would not hold all calls. Series are handed out in the
 * order of their labels until max_series is reached, so that a reload hands out the same ones.
 */
#include "plan/series.h"

#include <string.h>

#include "base/memory.h"
#include "plan/carried.h"
#include "plan/exit.h"
#include "plan/handover.h"
#include "plan/identity.h"
#include "plan/label.h"
#include "plan/site.h"

/* A probe of more functions than that has one note for all that jump to others. */
enum { MOST_NAMED_HANDOVERS = 8 };

struct placing {
	struct plan *plan;
	struct plan_probe *probe;
	struct reasons *reasons;
	struct function **functions; /* sorted */
	size_t n;
};

static int compare_labels(const void *a, const void *b)
{
	const struct function *x = *(struct function *const *)a;
	const struct function *y = *(struct function *const *)b;
	int order = strcmp(x->label, y->label);

	if (order)
		return order;
	if (x->selection->target_index != y->selection->target_index)
		return x->selection->target_index < y->selection->target_index ? -1 : 1;
	return x->place.address < y->place.address ? -1 : x->place.address > y->place.address;
}

static void gather(
	struct placing *p, struct selection *const *selections, size_t n, struct arena *a)
{
	size_t n_all = 0;

	for (size_t i = 0; i < n; i++)
		n_all += HASH_COUNT(selections[i]->functions);
	p->functions = arena_array(a, n_all, sizeof(struct function *));
	for (size_t i = 0; i < n; i++)
		for (struct function *f = selections[i]->functions; f; f = f->hh.next)
			p->functions[p->n++] = f;
	labels_settle(p->functions, p->n, a);
	if (p->n)
		qsort(p->functions, p->n, sizeof(struct function *), compare_labels);
}

/* One past the last function of the same label as the first. */
static size_t group_end(const struct placing *p, size_t first)
{
	size_t end = first + 1;

	while (end < p->n && !strcmp(p->functions[end]->label, p->functions[first]->label))
		end++;
	return end;
}

/* Whether the ends of its calls are asked for, and not seen. */
static bool lacks_exit(const struct plan_site *s)
{
	return !s->refusal && s->exit == EXIT_BY_NONE && s->exit_reason;
}

/* Whether the ends of some calls would be seen: those in other files. */
static bool has_timed_site(struct plan_site *const *sites, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!sites[i]->refusal && !lacks_exit(sites[i]))
			return true;
	return false;
}

/* Why the series has no durations: those of a part of its calls would pass for those of all. */
static const char *exit_reason_of(struct plan_site *const *sites, size_t n, struct arena *a)
{
	const struct plan_site *s = NULL;

	for (size_t i = 0; !s && i < n; i++)
		if (lacks_exit(sites[i]))
			s = sites[i];
	if (!s || !has_timed_site(sites, n))
		return s ? s->exit_reason : NULL;
	return arena_printf(a,
		"%s (so it is in %s; the same name in other files is not timed either)",
		s->exit_reason, s->target->origin);
}

static struct plan_series *new_series(const struct placing *p, const char *label, bool has_exit)
{
	struct arena *a = p->plan->arena;
	struct plan_series *s = arena_alloc(a, sizeof(*s));

	*s = (struct plan_series){
		.probe = p->probe,
		.binary = p->probe->config->binary,
		.function = arena_strdup(a, label),
		.measures = p->probe->config->measures,
	};
	if (!has_exit)
		s->measures &= ~(unsigned)(MEASURE_DURATION | MEASURE_IN_FLIGHT);
	s->identity = series_identity(s, a);
	p->probe->series[p->probe->n_series++] = s;
	p->plan->n_series++;
	return s;
}

static void add_inlined(
	const struct placing *p, struct plan_series *series, const struct plan_site *site)
{
	series->inlined.is_known &= site->inlined.is_known;
	series->inlined.n_places += site->inlined.n_places;
	if (site->inlined.n_places)
		reasons_note(p->reasons, series->function,
			"calls that the compiler has inlined are not counted");
}

static void add_handovers(const struct placing *p, const char *label,
	struct plan_site *const *sites, struct function *const *functions, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *note = handover_note(
			sites[i], functions[i], p->n <= MOST_NAMED_HANDOVERS, p->reasons->arena);

		if (note)
			reasons_note(p->reasons, label, note);
	}
}

/* Makes a series of those sites of functions that aren't refused. */
static void join_series(const struct placing *p, const char *label, struct plan_site *const *sites,
	struct function *const *functions, size_t n)
{
	const char *exit_reason = exit_reason_of(sites, n, p->plan->arena);
	bool has_exit = exit_is_wanted(p->probe->config) && !exit_reason;
	struct plan_series *series = new_series(p, label, has_exit);

	series->inlined.is_known = true;
	for (size_t i = 0; i < n; i++) {
		if (sites[i]->refusal)
			continue;
		add_inlined(p, series, sites[i]);
		if (carry_note(sites[i]))
			reasons_note(p->reasons, series->function, carry_note(sites[i]));
		if (exit_reason)
			exit_drop(sites[i], exit_reason);
		else if (sites[i]->warning)
			reasons_note(p->reasons, series->function, sites[i]->warning);
		sites[i]->series = series;
		series->n_functions++;
		sites[i]->key = site_key(sites[i], p->plan->arena);
	}
	if (exit_reason)
		reasons_note(p->reasons, series->function,
			arena_printf(p->reasons->arena,
				"calls are counted, but their ends are not seen: %s", exit_reason));
	add_handovers(p, series->function, sites, functions, n);
}

static void place_group(const struct placing *p, size_t first, size_t end)
{
	struct plan_site **sites = p->probe->sites + p->probe->n_sites;
	const char *label = p->functions[first]->label;
	size_t n_refused = 0;

	for (size_t i = first; i < end; i++) {
		struct plan_site *s = site_new(p->plan, p->functions[i]);

		sites[i - first] = s;
		n_refused += s->refusal != NULL;
		if (s->refusal && !p->functions[i]->is_ambiguous)
			reasons_trouble(p->reasons, label, s->refusal);
	}
	p->probe->n_sites += end - first;
	p->probe->n_refused += n_refused;
	if (n_refused < end - first)
		join_series(p, label, sites, p->functions + first, end - first);
}

static void leave_out(const struct placing *p, size_t first)
{
	const char *text = arena_printf(p->reasons->arena, "left out: max_series (%u) is reached",
		p->plan->config->max_series);

	for (size_t i = first; i < p->n; i++)
		reasons_trouble(p->reasons, p->functions[i]->label, text);
	p->probe->n_refused += p->n - first;
}

static size_t target_index(const struct plan_site *s)
{
	size_t i = 0;

	while (s->probe->targets[i] != s->target)
		i++;
	return i;
}

static int compare_places(const void *a, const void *b)
{
	const struct plan_site *x = *(struct plan_site *const *)a;
	const struct plan_site *y = *(struct plan_site *const *)b;

	if (x->target != y->target)
		return target_index(x) < target_index(y) ? -1 : 1;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return strcmp(x->symbol, y->symbol);
}

void probe_place(struct plan *plan, struct plan_probe *probe, struct selection *const *selections,
	size_t n_selections, struct reasons *reasons)
{
	struct placing p = {.plan = plan, .probe = probe, .reasons = reasons};
	size_t end;

	gather(&p, selections, n_selections, reasons->arena);
	probe->sites = arena_array(plan->arena, p.n, sizeof(struct plan_site *));
	probe->series = arena_array(plan->arena, p.n, sizeof(struct plan_series *));
	for (size_t first = 0; first < p.n; first = end) {
		if (plan->n_series == plan->config->max_series) {
			leave_out(&p, first);
			break;
		}
		end = group_end(&p, first);
		place_group(&p, first, end);
	}
	if (probe->n_sites)
		qsort(probe->sites, probe->n_sites, sizeof(struct plan_site *), compare_places);
}
