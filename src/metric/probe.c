// SPDX-License-Identifier: Apache-2.0
/*
 * One row of the table is one family. What was not looked at is absent, never 0: a probe that
 * times no calls has no missed returns, one with no sites has no way of seeing calls end.
 */
#include "metric/probe.h"

#include <string.h>

#include "base/utf8.h"
#include "config/carried.h"

/* Bytes of a reason: the status page has all of it. */
enum { MOST_OF_A_REASON = 240 };

struct probe_family {
	struct family family;
	/* The probe's one number, false where there is none; or what adds all its samples. */
	bool (*get)(const struct probe_state *p, uint64_t *out);
	void (*add)(struct metrics *m, const struct probe_state *p);
};

static bool is_up(const struct probe_state *p, uint64_t *out)
{
	*out = p->reading->is_up;
	return true;
}

static bool n_targets(const struct probe_state *p, uint64_t *out)
{
	*out = p->plan->n_targets;
	return true;
}

static bool n_series(const struct probe_state *p, uint64_t *out)
{
	*out = p->carry ? p->shown.n : p->reading->n_series;
	return true;
}

static bool times_calls(const struct probe_state *p)
{
	const unsigned timed = MEASURE_DURATION | MEASURE_IN_FLIGHT;

	if (!(p->plan->config->measures & timed))
		return false;
	for (size_t i = 0; i < p->reading->n_series; i++)
		if (p->reading->series[i].series->measures & timed)
			return true;
	return false;
}

static bool sheddings(const struct probe_state *p, uint64_t *out)
{
	*out = p->reading->n_sheddings;
	return true;
}

static bool missed_returns(const struct probe_state *p, uint64_t *out)
{
	*out = p->reading->missed;
	return times_calls(p);
}

static bool abandoned_calls(const struct probe_state *p, uint64_t *out)
{
	*out = p->reading->abandoned;
	return times_calls(p);
}

static bool read_faults(const struct probe_state *p, uint64_t *out)
{
	*out = p->reading->read_faults;
	return carried_is_wanted(p->plan->config);
}

static bool series_overflow(const struct probe_state *p, uint64_t *out)
{
	*out = p->reading->series_overflow;
	return p->carry;
}

static void add_sites(struct metrics *m, const struct probe_state *p)
{
	const size_t n[N_SITE_STATES] = {
		[SITE_ATTACHED] = p->reading->n_attached,
		[SITE_REFUSED] = p->reading->n_refused,
		[SITE_FAILED] = p->reading->n_failed,
		[SITE_SHED] = p->reading->n_shed,
	};

	for (size_t i = 0; i < N_SITE_STATES; i++)
		samples_add(&m->samples, &p->labels, &m->sites[i])->integer = n[i];
}

/* One for each way in which the probe's calls are seen to end. */
static void add_info(struct metrics *m, const struct probe_state *p)
{
	for (size_t exit = 0; exit < N_EXIT_KINDS; exit++)
		if (p->has_exit[exit])
			samples_add(&m->samples, &p->labels, &m->modes[m->mode][exit])->integer = 1;
}

/* Of the classes that some site has. */
static void add_classes(struct metrics *m, const struct probe_state *p)
{
	for (size_t i = 0; i < N_COST_CLASSES; i++)
		if (p->reading->n_by_class[i])
			samples_add(&m->samples, &p->labels, &m->classes[i])->integer =
				p->reading->n_by_class[i];
}

/* Of those functions whose debug information was read. */
static void add_inlined(struct metrics *m, const struct probe_state *p)
{
	for (size_t i = 0; i < p->plan->n_series; i++)
		if (p->plan->series[i]->inlined.is_known)
			samples_add(&m->samples, &p->series[i], NULL)->integer =
				p->plan->series[i]->inlined.n_places;
}

static void add_overhead(struct metrics *m, const struct probe_state *p)
{
	if (m->costs)
		samples_add(&m->samples, &p->labels, NULL)->number =
			(double)p->reading->overhead_ns / 1e9;
}

static const char *shortened(const char *text, struct arena *a)
{
	if (strlen(text) <= MOST_OF_A_REASON)
		return text;
	return arena_printf(a, "%.*s...", (int)utf8_whole_size(text, MOST_OF_A_REASON), text);
}

/* Series come and go with what is wrong: of what is up there is none. */
static void add_reason(struct metrics *m, const struct probe_state *p)
{
	const char *plan = p->plan->reason, *failure = p->reading->failure;
	struct label reason = {"reason", plan ? plan : failure};
	struct label_set *labels;
	struct arena *a;

	if (p->reading->is_up || !reason.value)
		return;
	a = metrics_scratch(m);
	if (plan && failure)
		reason.value = arena_printf(a, "%s\n%s", failure, plan);
	reason.value = shortened(reason.value, a);
	labels = arena_alloc(a, sizeof(*labels));
	label_set_init(labels, &reason, 1, a);
	samples_add(&m->samples, &p->labels, labels)->integer = 1;
}

static const struct probe_family families[] = {
	{{"uprobe_exporter_probe_up",
		 "Whether everything that the probe selects is attached and can fire.",
		 FAMILY_GAUGE, SAMPLE_INTEGER},
		.get = is_up},
	{{"uprobe_exporter_probe_reason",
		 "Why the probe is not up, or the beginning of it; always 1.", FAMILY_GAUGE,
		 SAMPLE_INTEGER},
		.add = add_reason},
	{{"uprobe_exporter_probe_sites",
		 "Addresses that the probe selects, entries and exits, by what became of them.",
		 FAMILY_GAUGE, SAMPLE_INTEGER},
		.add = add_sites},
	{{"uprobe_exporter_probe_info",
		 "How the probe is attached and how it sees calls end; always 1.", FAMILY_GAUGE,
		 SAMPLE_INTEGER},
		.add = add_info},
	{{"uprobe_exporter_probe_site_classes",
		 "Attached sites, by the cost class of their instructions.", FAMILY_GAUGE,
		 SAMPLE_INTEGER},
		.add = add_classes},
	{{"uprobe_exporter_inlined_places",
		 "Places in the program's code where the function was inlined: calls there are not "
		 "counted.",
		 FAMILY_GAUGE, SAMPLE_INTEGER},
		.add = add_inlined},
	{{"uprobe_exporter_overhead_cpu_seconds_total",
		 "CPU time that the probe has cost the programs: calls times the cost of one.",
		 FAMILY_COUNTER, SAMPLE_NUMBER},
		.add = add_overhead},
	{{"uprobe_exporter_sheddings_total", "How often the probe was taken off for what it cost.",
		 FAMILY_COUNTER, SAMPLE_INTEGER},
		.get = sheddings},
	{{"uprobe_exporter_targets", "Files that the probe's binary means.", FAMILY_GAUGE,
		 SAMPLE_INTEGER},
		.get = n_targets},
	{{"uprobe_exporter_series", "Label sets that the probe counts.", FAMILY_GAUGE,
		 SAMPLE_INTEGER},
		.get = n_series},
	{{"uprobe_exporter_missed_returns_total",
		 "Calls that returned without their duration being taken.", FAMILY_COUNTER,
		 SAMPLE_INTEGER},
		.get = missed_returns},
	{{"uprobe_exporter_abandoned_calls_total",
		 "Calls that ended without a return: longjmp, unwinding, thread exit, exec.",
		 FAMILY_COUNTER, SAMPLE_INTEGER},
		.get = abandoned_calls},
	{{"uprobe_exporter_read_faults_total",
		 "Times that something which a call carries could not be read.", FAMILY_COUNTER,
		 SAMPLE_INTEGER},
		.get = read_faults},
	{{"uprobe_exporter_series_overflow_total",
		 "Calls whose label sets were too many, and that are counted as other.",
		 FAMILY_COUNTER, SAMPLE_INTEGER},
		.get = series_overflow},
};

static void init_modes(struct metrics *m)
{
	for (int mode = 0; mode < N_ATTACH_MODES; mode++)
		for (int exit = 0; exit < N_EXIT_KINDS; exit++) {
			const struct label labels[] = {
				{"mode", attach_mode_name((enum attach_mode)mode)},
				{"exit", exit_kind_name((enum exit_kind)exit)},
			};

			label_set_init(&m->modes[mode][exit], labels, ARRAY_SIZE(labels), m->arena);
		}
}

static void init_probe(struct probe_state *p, struct arena *a)
{
	label_set_init(&p->labels, &(struct label){"probe", p->plan->config->name}, 1, a);
	for (size_t i = 0; i < p->plan->n_sites; i++)
		if (!p->plan->sites[i]->refusal)
			p->has_exit[p->plan->sites[i]->exit] = true;
}

void probe_families_init(struct metrics *m)
{
	static const char *const states[N_SITE_STATES] = {
		[SITE_ATTACHED] = "attached",
		[SITE_REFUSED] = "refused",
		[SITE_FAILED] = "failed",
		[SITE_SHED] = "shed",
	};

	init_modes(m);
	for (size_t i = 0; i < N_SITE_STATES; i++)
		label_set_init(&m->sites[i], &(struct label){"state", states[i]}, 1, m->arena);
	for (size_t i = 0; i < m->n_probes; i++)
		init_probe(&m->probes[i], m->arena);
}

static void collect(struct metrics *m, const struct probe_family *f, const struct probe_state *p)
{
	uint64_t value;

	if (f->add)
		f->add(m, p);
	else if (f->get(p, &value))
		samples_add(&m->samples, &p->labels, NULL)->integer = value;
}

void probe_families_put(struct metrics *m, struct buffer *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(families); i++) {
		samples_clear(&m->samples);
		for (const struct probe_state *p = m->probes; p < m->probes + m->n_probes; p++)
			if (p->reading)
				collect(m, &families[i], p);
		metrics_put_family(m, &families[i].family, out);
	}
}
