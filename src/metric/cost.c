// SPDX-License-Identifier: Apache-2.0
/* One row of the table is one family: a figure for each class of site and way to see calls end. */
#include "metric/cost.h"

static uint32_t call_ns(const struct costs *c, enum cost_class class, enum exit_kind exit)
{
	return cost_of_call(c, class, exit, c->return_class);
}

static const struct cost_family {
	struct family family;
	uint32_t (*get)(const struct costs *c, enum cost_class class, enum exit_kind exit);
} families[] = {
	{{"uprobe_exporter_site_cost_seconds",
		 "What a call costs that is counted at an instruction of the class and seen to end "
		 "so.",
		 FAMILY_GAUGE, SAMPLE_NUMBER},
		call_ns},
	{{"uprobe_exporter_duration_floor_seconds", "What a call that takes no time would measure.",
		 FAMILY_GAUGE, SAMPLE_NUMBER},
		cost_floor},
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

static void collect(struct metrics *m, const struct cost_family *f, const struct costs *costs)
{
	for (int class = 0; class < N_COST_CLASSES; class ++) {
		for (int exit = 0; exit < N_EXIT_KINDS; exit++) {
			uint32_t ns = f->get(costs, (enum cost_class) class, (enum exit_kind)exit);

			if (ns)
				samples_add(&m->samples, &m->classes[class], &m->exits[exit])
					->number = ns / 1e9;
		}
	}
}

void cost_families_put(struct metrics *m, const struct costs *costs, struct buffer *out)
{
	for (size_t i = 0; costs && i < ARRAY_SIZE(families); i++) {
		samples_clear(&m->samples);
		collect(m, &families[i], costs);
		metrics_put_family(m, &families[i].family, out);
	}
}
