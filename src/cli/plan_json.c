// SPDX-License-Identifier: Apache-2.0
/* See plan_print.h for the fields. */
#include <jansson.h>

#include "cli/plan_carried.h"
#include "cli/plan_print.h"
#include "cli/site_json.h"

static json_t *sites_json(const struct plan_probe *p)
{
	json_t *sites = json_array();

	for (size_t i = 0; i < p->n_sites; i++) {
		const struct plan_site *s = p->sites[i];

		json_array_append_new(sites, site_json(s, s->series ? s->series->function : NULL));
	}
	return sites;
}

static json_t *targets_json(const struct plan_probe *p)
{
	json_t *targets = json_array();

	for (size_t i = 0; i < p->n_targets; i++)
		json_array_append_new(
			targets, json_pack("{so si}", "path", text_json(p->targets[i]->origin),
					 "pid", (int)p->targets[i]->pid));
	return targets;
}

static json_t *probe_json(const struct plan_probe *p)
{
	return json_pack("{so so ss so sI so so so}", "name", text_json(p->config->name), "binary",
		text_json(p->config->binary), "state", plan_state_name(p->state), "reason",
		text_json(p->reason), "refused", (json_int_t)p->n_refused, "targets",
		targets_json(p), "carries", plan_carried_json(p->config), "sites", sites_json(p));
}

void plan_print_json(const struct plan *p, FILE *out)
{
	json_t *probes = json_array(), *all;
	unsigned n_cpus;

	for (size_t i = 0; i < p->n_probes; i++)
		json_array_append_new(probes, probe_json(&p->probes[i]));
	all = json_pack("{so sI sI}", "probes", probes, "series", (json_int_t)p->n_series,
		"map_bytes", (json_int_t)plan_map_bytes(p, &n_cpus));
	json_dumpf(all, out, JSON_INDENT(2));
	fputc('\n', out);
	json_decref(all);
}
