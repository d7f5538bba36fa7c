// SPDX-License-Identifier: Apache-2.0
/*
 * Probes that share a prefix share families, and a family must be one block of lines: probes are
 * grouped by prefix when a plan comes into force. For each group and each row of the table below
 * a scrape gathers the samples of all probes of the group, then encodes them.
 */
#include "metric/function.h"

#include <string.h>

#include "metric/dynamic.h"

/* Beside MEASURE_*: not what was asked to be measured, but given by a condition. */
enum { MEASURED_ERRORS = 1 << 16 };

/* One kind of family: its name is the group's prefix and suffix. */
struct measure {
	unsigned flag; /* MEASURE_* or MEASURED_ERRORS: series that have it give a sample */
	const char *suffix, *help;
	enum family_type type;
	enum sample_form form;
	void (*fill)(struct sample *s, const struct series_reading *r, const struct probe_state *p);
};

static void fill_calls(
	struct sample *s, const struct series_reading *r, const struct probe_state *p)
{
	(void)p;
	s->integer = r->calls;
}

static void fill_duration(
	struct sample *s, const struct series_reading *r, const struct probe_state *p)
{
	s->histogram.bounds = p->bounds;
	s->histogram.buckets = r->buckets;
	s->histogram.sum = r->sum_ns;
}

static void fill_errors(
	struct sample *s, const struct series_reading *r, const struct probe_state *p)
{
	(void)p;
	s->integer = r->errors;
}

static void fill_in_flight(
	struct sample *s, const struct series_reading *r, const struct probe_state *p)
{
	(void)p;
	s->integer = r->in_flight;
}

static const struct measure measures[] = {
	{MEASURE_CALLS, "_calls_total",
		"calls, counted when they begin; where that takes their result, when they return.",
		FAMILY_COUNTER, SAMPLE_INTEGER, fill_calls},
	{MEASURE_DURATION, "_duration_seconds", "how long calls took that have returned.",
		FAMILY_HISTOGRAM, SAMPLE_HISTOGRAM, fill_duration},
	{MEASURED_ERRORS, "_errors_total", "calls that met the probe's condition for errors.",
		FAMILY_COUNTER, SAMPLE_INTEGER, fill_errors},
	{MEASURE_IN_FLIGHT, "_in_flight", "calls that have begun and not ended.", FAMILY_GAUGE,
		SAMPLE_INTEGER, fill_in_flight},
};

struct function_group {
	struct function_group *next;
	const char *prefix;
	const char *help; /* of the first probe that has one; or NULL */
	struct probe_state *first, **end;
	const char *names[ARRAY_SIZE(measures)], *helps[ARRAY_SIZE(measures)];
};

static struct function_group *group_of(struct metrics *m, const char *prefix)
{
	struct function_group **g = &m->groups;

	while (*g && strcmp((*g)->prefix, prefix))
		g = &(*g)->next;
	if (!*g) {
		*g = arena_alloc(m->arena, sizeof(**g));
		(*g)->prefix = prefix;
		(*g)->end = &(*g)->first;
	}
	return *g;
}

static void group_add(struct function_group *g, struct probe_state *p)
{
	*g->end = p;
	g->end = &p->next;
	if (!g->help)
		g->help = p->plan->config->help;
}

static void group_name_families(struct function_group *g, struct arena *a)
{
	const char *help = label_escape_help(g->help ? g->help : "Probed functions", a);

	for (size_t i = 0; i < ARRAY_SIZE(measures); i++) {
		g->names[i] = arena_printf(a, "%s%s", g->prefix, measures[i].suffix);
		g->helps[i] = arena_printf(a, "%s: %s", help, measures[i].help);
	}
}

static void init_series_labels(struct probe_state *p, struct arena *a)
{
	const struct probe *config = p->plan->config;
	size_t n = 3 + config->labels.n;
	struct label *labels = arena_array(a, n, sizeof(*labels));

	p->series = arena_array(a, p->plan->n_series, sizeof(*p->series));
	labels[0] = (struct label){"probe", config->name};
	if (config->labels.n)
		memcpy(labels + 3, config->labels.items, config->labels.n * sizeof(*labels));
	for (size_t i = 0; i < p->plan->n_series; i++) {
		labels[1] = (struct label){"binary", p->plan->series[i]->binary};
		labels[2] = (struct label){"function", p->plan->series[i]->function};
		label_set_init(&p->series[i], labels, n, a);
	}
}

void function_families_init(struct metrics *m)
{
	for (size_t i = 0; i < m->n_probes; i++) {
		struct probe_state *p = &m->probes[i];
		const struct probe *config = p->plan->config;

		init_series_labels(p, m->arena);
		dynamic_init(p, m->arena);
		if (config->measures & MEASURE_DURATION)
			p->bounds = bounds_cache_get(&m->bounds, &config->bounds, m->arena);
		group_add(group_of(m, config->metric ? config->metric : "uprobe_function"), p);
	}
	for (struct function_group *g = m->groups; g; g = g->next)
		group_name_families(g, m->arena);
}

const struct label_set *series_labels(
	const struct probe_state *p, const struct plan_series *series, size_t *next)
{
	const size_t n = p->plan->n_series;

	for (size_t tried = 0; tried < n; tried++) {
		size_t i = (*next)++ % n;

		if (p->plan->series[i] == series)
			return &p->series[i];
	}
	abort();
}

static unsigned measured(const struct plan_series *s)
{
	return s->measures | (s->probe->config->errors ? MEASURED_ERRORS : 0);
}

static void collect(struct samples *out, const struct probe_state *p, const struct measure *kind)
{
	bool is_in_flight = kind->flag == MEASURE_IN_FLIGHT;
	struct shown_series s;

	for (struct shown_cursor c = {}; shown_next(&c, p, is_in_flight, &s);)
		if (measured(s.reading->series) & kind->flag)
			kind->fill(samples_add(out, s.labels, s.more), s.reading, p);
}

static void put_family(
	struct metrics *m, const struct function_group *g, size_t kind, struct buffer *out)
{
	samples_clear(&m->samples);
	for (const struct probe_state *p = g->first; p; p = p->next)
		collect(&m->samples, p, &measures[kind]);
	metrics_put_family(m,
		&(struct family){
			g->names[kind], g->helps[kind], measures[kind].type, measures[kind].form},
		out);
}

void function_families_put(struct metrics *m, struct buffer *out)
{
	for (const struct function_group *g = m->groups; g; g = g->next)
		for (size_t i = 0; i < ARRAY_SIZE(measures); i++)
			put_family(m, g, i, out);
}
