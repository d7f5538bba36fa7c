// SPDX-License-Identifier: Apache-2.0
/* What a scrape may show of the plan in force. */
#include "base/memory.h"
#include "trace/state.h"

/* Makes the view of one probe: which series may be shown. A series none of whose sites is attached
 * is left out: a zero would say that nobody called. */
static void view_probe_init(struct view_probe *v, const struct trace *t, const struct plan_probe *p)
{
	v->series = memory_alloc((p->n_series + 1) * sizeof(struct plan_series *));
	v->slots = memory_alloc((p->n_series + 1) * sizeof(struct slot *));
	for (size_t i = 0; i < p->n_sites; i++) {
		const struct site *s = p->sites[i]->refusal ? NULL : site_find(t, p->sites[i]->key);

		if (!s)
			continue;
		if (s->attachment) {
			v->n_attached++;
			s->slot->is_shown = true;
			continue;
		}
		v->n_failed++;
		if (!v->failure && s->failure)
			v->failure = memory_strdup(s->failure);
	}
	for (size_t i = 0; i < p->n_series; i++) {
		struct slot *slot = slots_find(&t->slots, p->series[i]);

		if (!slot || !slot->is_shown)
			continue;
		slot->is_shown = false;
		v->series[v->n_series] = p->series[i];
		v->slots[v->n_series++] = slot;
	}
}

struct view *view_new(const struct trace *t, const struct plan *plan)
{
	struct view *v = memory_alloc(sizeof(*v));

	v->n_probes = plan->n_probes;
	v->probes = memory_alloc(v->n_probes * sizeof(*v->probes));
	for (size_t i = 0; i < plan->n_probes; i++)
		view_probe_init(&v->probes[i], t, &plan->probes[i]);
	return v;
}

void view_free(struct view *v)
{
	if (!v)
		return;
	for (size_t i = 0; i < v->n_probes; i++) {
		free(v->probes[i].series);
		free(v->probes[i].slots);
		free(v->probes[i].failure);
	}
	free(v->probes);
	free(v);
}
