// SPDX-License-Identifier: Apache-2.0
/*
 * One row of the table is one family of figures: one alone, one for each class of site, or one for
 * each class and way to see calls end. What is not known has no sample.
 */
#include "metric/cost.h"

static uint32_t site_ns(const struct costs *c, enum cost_class class, enum exit_kind exit)
{
	return exit == EXIT_BY_NONE ? c->hit[class] : 0;
}

static uint32_t call_ns(const struct costs *c, enum cost_class class, enum exit_kind exit)
{
	return cost_of_call(c, class, exit, c->return_class);
}

/* The floor of what is cheapest to time. */
static uint32_t floor_ns(const struct costs *c, enum cost_class class, enum exit_kind exit)
{
	return exit == EXIT_BY_URETPROBE && class == c->floor_class ? cost_floor(c, class, exit)
								    : 0;
}

enum { BY_CLASS = 1 << 0, BY_EXIT = 1 << 1 };

static const struct cost_family {
	struct family family;
	unsigned labels;
	uint32_t (*get)(const struct costs *c, enum cost_class class, enum exit_kind exit);
} families[] = {
	{{"uprobe_exporter_site_cost_seconds",
		 "What it costs to pass a site on an instruction of the class.", FAMILY_GAUGE,
		 SAMPLE_NUMBER},
		BY_CLASS, site_ns},
	{{"uprobe_exporter_call_cost_seconds",
		 "What a call costs that is counted at an instruction of the class and seen to end "
		 "so.",
		 FAMILY_GAUGE, SAMPLE_NUMBER},
		BY_CLASS | BY_EXIT, call_ns},
	{{"uprobe_exporter_duration_floor_seconds",
		 "What a call that takes no time would measure, at best.", FAMILY_GAUGE,
		 SAMPLE_NUMBER},
		0, floor_ns},
	{{"uprobe_exporter_call_floor_seconds",
		 "What a call that takes no time would measure, counted and seen to end so.",
		 FAMILY_GAUGE, SAMPLE_NUMBER},
		BY_CLASS | BY_EXIT, cost_floor},
};

void cost_families_init(struct metrics *m)
{
	for (int class = 0; class < N_COST_CLASSES; class ++) {
		const char *name = cost_class_name((enum cost_class) class);

		label_set_init(&m->classes[class], &(struct label){"class", name}, 1, m->arena);
	}
	for (int exit = 0; exit < N_EXIT_KINDS; exit++) {
		const char *name = exit_kind_name((enum exit_kind)exit);

		label_set_init(&m->exits[exit], &(struct label){"exit", name}, 1, m->arena);
	}
}

static void collect_one(struct metrics *m, const struct cost_family *f, const struct costs *costs,
	enum cost_class class, enum exit_kind exit)
{
	const struct label_set *by_class = f->labels & BY_CLASS ? &m->classes[class] : NULL;
	const struct label_set *by_exit = f->labels & BY_EXIT ? &m->exits[exit] : NULL;
	uint32_t ns = f->get(costs, class, exit);

	if (ns)
		samples_add(&m->samples, by_class, by_exit)->number = ns / 1e9;
}

void cost_families_put(struct metrics *m, const struct costs *costs, struct buffer *out)
{
	for (size_t i = 0; costs && i < ARRAY_SIZE(families); i++) {
		samples_clear(&m->samples);
		for (int class = 0; class < N_COST_CLASSES; class ++)
			for (int exit = 0; exit < N_EXIT_KINDS; exit++)
				collect_one(m, &families[i], costs, (enum cost_class) class,
					(enum exit_kind)exit);
		metrics_put_family(m, &families[i].family, out);
	}
}
