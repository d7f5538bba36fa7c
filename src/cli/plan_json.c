// SPDX-License-Identifier: Apache-2.0
/* See plan_print.h for the fields. Texts from files and paths are made valid UTF-8 on the way. */
#include <inttypes.h>
#include <jansson.h>

#include "base/utf8.h"
#include "cli/plan_print.h"

/* A new reference; null for NULL. */
static json_t *text_json(const char *text)
{
	_cleanup_(buffer_deinit) struct buffer valid = {};

	if (!text)
		return json_null();
	utf8_put(&valid, text, NULL);
	return json_string(buffer_text(&valid));
}

static json_t *hex_json(uint64_t value)
{
	return json_sprintf("0x%" PRIx64, value);
}

static json_t *site_json(const struct plan_site *s)
{
	return json_pack("{so so so so so so so sI so so sI so so}", "function",
		text_json(s->series ? s->series->function : NULL), "symbol", text_json(s->symbol),
		"aliases", text_json(s->aliases), "binary", text_json(s->probe->config->binary),
		"origin", text_json(s->target->origin), "address", hex_json(s->address), "offset",
		hex_json(s->offset), "size", (json_int_t)s->size, "exit",
		text_json(s->refusal ? NULL : exit_kind_name(s->exit)), "exit_reason",
		text_json(s->exit_reason), "exit_sites", (json_int_t)s->n_exits, "cost",
		text_json(s->n_bytes ? cost_class_name(s->cost) : NULL), "refusal",
		text_json(s->refusal));
}

static json_t *sites_json(const struct plan_probe *p)
{
	json_t *sites = json_array();

	for (size_t i = 0; i < p->n_sites; i++)
		json_array_append_new(sites, site_json(p->sites[i]));
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
	return json_pack("{so so ss so sI so so}", "name", text_json(p->config->name), "binary",
		text_json(p->config->binary), "state", plan_state_name(p->state), "reason",
		text_json(p->reason), "refused", (json_int_t)p->n_refused, "targets",
		targets_json(p), "sites", sites_json(p));
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
