// SPDX-License-Identifier: Apache-2.0
/*
 * What a scrape may show of the plan in force. It is read by other threads, so whatever may change
 * while a later plan is applied is copied into it.
 */
#include "base/memory.h"
#include "trace/state.h"

static void add_slot(struct view_probe *v, const struct slot *s)
{
	v->slots = memory_grow(v->slots, v->n_slots + 1, sizeof(*v->slots));
	v->slots[v->n_slots++] = (struct view_slot){
		.slot = s,
		.settled_ns = s->settled_ns,
		.settled_hits = s->settled_hits,
		.call_ns = s->call_ns,
		.floor_ns = s->floor_ns,
	};
}

static void count_attached(struct view_probe *v, const struct plan_site *s)
{
	v->n_attached += plan_site_count(s);
	v->n_by_class[s->cost]++;
	for (size_t i = 0; i < s->n_exits; i++)
		v->n_by_class[s->exits[i].cost]++;
}

static void view_sites(struct view_probe *v, struct trace *t, const struct plan_probe *p)
{
	bool is_shed = probe_is_shed(t, p);

	v->is_proven = true;
	for (size_t i = 0; i < p->n_sites; i++) {
		const struct site *s = p->sites[i]->refusal ? NULL : site_find(t, p->sites[i]->key);

		if (!s)
			continue;
		if (s->attachment) {
			count_attached(v, p->sites[i]);
			s->slot->is_shown = true;
			v->is_proven = v->is_proven && s->is_proven;
			if (!v->blind && s->blind)
				v->blind = memory_strdup(s->blind);
			continue;
		}
		if (is_shed && !s->failure) {
			v->n_shed += plan_site_count(p->sites[i]);
			continue;
		}
		v->n_failed += plan_site_count(p->sites[i]);
		if (!v->failure && s->failure)
			v->failure = memory_strdup(s->failure);
	}
}

/* A series none of whose sites is attached is left out: a zero would say that nobody called. */
static void view_series(struct view_probe *v, const struct trace *t, const struct plan_probe *p)
{
	v->series = memory_alloc((p->n_series + 1) * sizeof(struct plan_series *));
	for (size_t i = 0; i < p->n_series; i++) {
		const struct slot *slot = slots_find(&t->slots, p->series[i]);

		if (!slot || !slot->is_shown)
			continue;
		v->series[v->n_series++] = p->series[i];
		add_slot(v, slot);
	}
}

/* What isn't shown has cost something, too. */
static void view_other_slots(struct view *v, struct trace *t)
{
	for (struct slot *s = t->slots.by_identity; s; s = s->hh.next) {
		const struct account *a = account_get(&t->slots.accounts, s->probe_name);

		if (!s->is_shown && a->index < v->n_probes)
			add_slot(&v->probes[a->index], s);
		s->is_shown = false;
	}
}

struct view *view_new(struct trace *t, const struct plan *plan)
{
	struct view *v = memory_alloc(sizeof(*v));

	v->n_probes = plan->n_probes;
	v->probes = memory_alloc(v->n_probes * sizeof(*v->probes));
	for (struct account *a = t->slots.accounts; a; a = a->hh.next)
		a->index = SIZE_MAX;
	for (size_t i = 0; i < plan->n_probes; i++) {
		const struct plan_probe *p = &plan->probes[i];
		struct account *a = account_get(&t->slots.accounts, p->config->name);

		a->index = i;
		v->probes[i].retired_ns = a->retired_ns;
		v->probes[i].n_sheddings = a->budget.n_sheddings;
		v->probes[i].failure = budget_reason(&a->budget, &plan->config->overhead);
		view_sites(&v->probes[i], t, p);
		view_series(&v->probes[i], t, p);
	}
	view_other_slots(v, t);
	return v;
}

uint64_t view_probe_overhead_ns(const struct view_probe *v)
{
	uint64_t sum = v->retired_ns;

	for (size_t i = 0; i < v->n_slots; i++)
		sum += view_slot_overhead_ns(&v->slots[i]);
	return sum;
}

void view_free(struct view *v)
{
	if (!v)
		return;
	for (size_t i = 0; i < v->n_probes; i++) {
		free(v->probes[i].series);
		free(v->probes[i].slots);
		free(v->probes[i].failure);
		free(v->probes[i].blind);
	}
	free(v->probes);
	free(v);
}
