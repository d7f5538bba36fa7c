// SPDX-License-Identifier: Apache-2.0
#include "cli/plan_carried.h"

#include <inttypes.h>

#include "cli/printable.h"
#include "cli/site_json.h"
#include "config/carried.h"
#include "config/dynamic.h"

/* ---- for people ---- */

static void put_condition(const char *key, const struct condition *c, FILE *out)
{
	if (!c)
		return;
	fprintf(out, "  %-9s ", key);
	printable_put(c->text, out);
	fputc('\n', out);
}

static void put_label(const struct dynamic_label *l, FILE *out)
{
	fputs("  label     ", out);
	printable_put(l->name, out);
	fputs(" from ", out);
	printable_put(dynamic_source(l), out);
	fputc('\n', out);
}

static void put_value(const struct value *v, FILE *out)
{
	fputs("  value     ", out);
	printable_put(v->metric, out);
	fputs(" from ", out);
	printable_put(v->from.text, out);
	if (v->only) {
		fputs(" where ", out);
		printable_put(v->only->text, out);
	}
	fputc('\n', out);
}

/* Why calls are counted when they return. */
static void put_lateness(const struct probe *p, FILE *out)
{
	if (!carried_is_late(p))
		return;
	fputs("  counted   when calls return: ", out);
	for (size_t i = 0; i < p->dynamic.n; i++)
		if (carried_label_is_late(&p->dynamic.items[i])) {
			fputs("the label ", out);
			printable_put(p->dynamic.items[i].name, out);
			fputs(" needs that\n", out);
			return;
		}
	fputs("`only` needs that\n", out);
}

void plan_put_carried(const struct probe *p, FILE *out)
{
	put_condition("only", p->only, out);
	put_condition("errors", p->errors, out);
	for (size_t i = 0; i < p->dynamic.n; i++)
		put_label(&p->dynamic.items[i], out);
	for (size_t i = 0; i < p->values.n; i++)
		put_value(&p->values.items[i], out);
	if (p->dynamic.n)
		fprintf(out, "  at most   %" PRIu32 " sets of its labels' values\n", p->max_series);
	put_lateness(p, out);
}

/* ---- for programs ---- */

static json_t *condition_json(const struct condition *c)
{
	return text_json(c ? c->text : NULL);
}

static json_t *labels_json(const struct probe *p)
{
	json_t *labels = json_array();

	for (size_t i = 0; i < p->dynamic.n; i++)
		json_array_append_new(
			labels, json_pack("{so so}", "name", text_json(p->dynamic.items[i].name),
					"from", text_json(dynamic_source(&p->dynamic.items[i]))));
	return labels;
}

static json_t *values_json(const struct probe *p)
{
	json_t *values = json_array();

	for (size_t i = 0; i < p->values.n; i++) {
		const struct value *v = &p->values.items[i];

		json_array_append_new(
			values, json_pack("{so so so}", "metric", text_json(v->metric), "from",
					text_json(v->from.text), "only", condition_json(v->only)));
	}
	return values;
}

json_t *plan_carried_json(const struct probe *p)
{
	if (!carried_is_wanted(p))
		return json_null();
	return json_pack("{so so so so so sb}", "labels", labels_json(p), "only",
		condition_json(p->only), "errors", condition_json(p->errors), "values",
		values_json(p), "max_series",
		p->dynamic.n ? json_integer((json_int_t)p->max_series) : json_null(),
		"counted_at_return", carried_is_late(p));
}
