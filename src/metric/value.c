// SPDX-License-Identifier: Apache-2.0
/* Probes may share a family: it is known by its name, and is of one type (config sees to that). */
#include "metric/value.h"

#include <string.h>

/* One value of one probe. */
struct value_member {
	struct value_member *next;
	const struct probe_state *probe;
	size_t index;                          /* among its values */
	const struct histogram_bounds *bounds; /* NULL: a counter */
};

struct value_group {
	struct value_group *next;
	const struct value *value; /* the first */
	const char *help;
	struct value_member *first, **end;
};

static struct value_group *group_of(struct metrics *m, const struct value *v)
{
	struct value_group **g = &m->values;

	while (*g && strcmp((*g)->value->metric, v->metric) != 0)
		g = &(*g)->next;
	if (!*g) {
		*g = arena_alloc(m->arena, sizeof(**g));
		(*g)->value = v;
		(*g)->end = &(*g)->first;
	}
	if (!(*g)->help && v->help)
		(*g)->help = v->help;
	return *g;
}

static void add_member(struct metrics *m, const struct probe_state *p, size_t index)
{
	const struct value *v = &p->plan->config->values.items[index];
	struct value_group *g = group_of(m, v);
	struct value_member *member = arena_alloc(m->arena, sizeof(*member));

	*member = (struct value_member){.probe = p, .index = index};
	if (v->form == VALUE_HISTOGRAM)
		member->bounds = bounds_of_value(v, m->arena);
	*g->end = member;
	g->end = &member->next;
}

void value_families_init(struct metrics *m)
{
	for (size_t i = 0; i < m->n_probes; i++)
		for (size_t k = 0; k < m->probes[i].plan->config->values.n; k++)
			add_member(m, &m->probes[i], k);
	for (struct value_group *g = m->values; g; g = g->next)
		g->help = label_escape_help(
			g->help ? g->help
				: arena_printf(m->arena, "%s, as calls carried it.",
					  g->value->from.text),
			m->arena);
}

static void add_sample(
	struct samples *out, const struct value_member *member, const struct shown_series *s)
{
	const struct value_reading *v = &s->reading->values[member->index];
	struct sample *sample = samples_add(out, s->labels, s->more);

	if (!member->bounds) {
		sample->integer = v->sum;
		return;
	}
	sample->histogram.bounds = member->bounds;
	sample->histogram.buckets = v->buckets;
	sample->histogram.sum = v->sum;
}

void value_families_put(struct metrics *m, struct buffer *out)
{
	for (const struct value_group *g = m->values; g; g = g->next) {
		bool is_counter = g->value->form == VALUE_COUNTER;
		const struct family family = {
			.name = g->value->metric,
			.help = g->help,
			.type = is_counter ? FAMILY_COUNTER : FAMILY_HISTOGRAM,
			.form = is_counter ? SAMPLE_INTEGER : SAMPLE_HISTOGRAM,
		};
		struct shown_series s;

		samples_clear(&m->samples);
		for (const struct value_member *v = g->first; v; v = v->next)
			for (struct shown_cursor c = {}; shown_next(&c, v->probe, false, &s);)
				add_sample(&m->samples, v, &s);
		metrics_put_family(m, &family, out);
	}
}
