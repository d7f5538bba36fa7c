// SPDX-License-Identifier: Apache-2.0
#include "metric/metrics.h"

#include "base/memory.h"
#include "metric/cost.h"
#include "metric/dynamic.h"
#include "metric/function.h"
#include "metric/probe.h"
#include "metric/self.h"
#include "metric/state.h"
#include "metric/text.h"
#include "metric/value.h"

void metrics_new(struct metrics **out, const struct plan *plan, const struct carry_names *names)
{
	static const struct carry_names unknown;
	struct metrics *m = memory_alloc(sizeof(*m));

	m->arena = arena_new();
	m->plan = plan;
	m->names = names ? names : &unknown;
	m->n_probes = plan ? plan->n_probes : 0;
	m->probes = arena_array(m->arena, m->n_probes, sizeof(*m->probes));
	for (size_t i = 0; i < m->n_probes; i++)
		m->probes[i].plan = &plan->probes[i];
	function_families_init(m);
	value_families_init(m);
	probe_families_init(m);
	cost_families_init(m);
	*out = m;
}

void metrics_free(struct metrics *m)
{
	if (!m)
		return;
	samples_deinit(&m->samples);
	arena_free(m->arena);
	free(m);
}

void metrics_put_family(struct metrics *m, const struct family *head, struct buffer *out)
{
	struct family f = *head;

	f.samples = m->samples.items;
	f.n_samples = m->samples.n;
	if (f.n_samples)
		text_put_family(out, &f);
}

struct arena *metrics_scratch(struct metrics *m)
{
	if (!m->scratch)
		m->scratch = arena_new();
	return m->scratch;
}

/* Probes whose calls bring labels along are seen through first: all their families have the same
 * series. */
static void show_dynamic(struct metrics *m)
{
	for (size_t i = 0; i < m->n_probes; i++) {
		if (!m->probes[i].carry)
			continue;
		dynamic_show(&m->probes[i], m->names, metrics_scratch(m));
	}
}

void metrics_render_text(struct metrics *m, const struct snapshot *s,
	const struct self_reading *self, struct buffer *out)
{
	m->mode = s->mode;
	m->costs = s->costs;
	for (size_t i = 0; i < m->n_probes; i++)
		m->probes[i].reading = NULL;
	for (size_t i = 0; i < s->n_probes; i++)
		m->probes[s->probes[i].probe - m->plan->probes].reading = &s->probes[i];
	show_dynamic(m);
	function_families_put(m, out);
	value_families_put(m, out);
	probe_families_put(m, out);
	cost_families_put(m, s->costs, out);
	self_families_put(m, self, out);
	arena_free(m->scratch);
	m->scratch = NULL;
}
