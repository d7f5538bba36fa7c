// SPDX-License-Identifier: Apache-2.0
/*
 * Labels and conditions from arguments are known when a call begins, those from results when it
 * returns. Where a label or `only` needs a result, so that only the return tells whether and where
 * the call counts, all else of the call waits for that, too.
 */
#include "config/carried.h"

#include "config/operand.h"
#include "config/usdt.h"

enum { SERIES_DEFAULT = 1000 };

size_t carried_operands(const struct probe *p, const struct operand *out[CARRIED_MAX_OPERANDS])
{
	size_t n = 0;

	for (size_t i = 0; i < p->dynamic.n; i++)
		if (p->dynamic.items[i].source == LABEL_OPERAND)
			out[n++] = &p->dynamic.items[i].operand;
	for (size_t i = 0; i < p->values.n; i++) {
		out[n++] = &p->values.items[i].from;
		if (p->values.items[i].only)
			out[n++] = &p->values.items[i].only->operand;
	}
	if (p->only)
		out[n++] = &p->only->operand;
	if (p->errors)
		out[n++] = &p->errors->operand;
	return n;
}

bool carried_is_wanted(const struct probe *p)
{
	return p->dynamic.n || p->only || p->errors || p->values.n;
}

static bool is_at_return(const struct condition *c)
{
	return c && c->operand.is_return;
}

bool carried_label_is_late(const struct dynamic_label *l)
{
	return l->source == LABEL_OPERAND && l->operand.is_return;
}

bool carried_is_late(const struct probe *p)
{
	for (size_t i = 0; i < p->dynamic.n; i++)
		if (carried_label_is_late(&p->dynamic.items[i]))
			return true;
	return is_at_return(p->only);
}

bool carried_value_is_late(const struct probe *p, const struct value *v)
{
	return v->from.is_return || is_at_return(v->only) || carried_is_late(p);
}

bool carried_needs_return(const struct probe *p)
{
	for (size_t i = 0; i < p->values.n; i++)
		if (carried_value_is_late(p, &p->values.items[i]))
			return true;
	return is_at_return(p->errors) || carried_is_late(p);
}

bool carried_reads_return(const struct probe *p)
{
	for (size_t i = 0; i < p->values.n; i++)
		if (p->values.items[i].from.is_return || is_at_return(p->values.items[i].only))
			return true;
	return is_at_return(p->errors) || carried_is_late(p);
}

static bool condition_reads_arguments(const struct condition *c)
{
	return c && !c->operand.is_return;
}

bool carried_reads_arguments(const struct probe *p)
{
	for (size_t i = 0; i < p->dynamic.n; i++)
		if (p->dynamic.items[i].source == LABEL_OPERAND &&
			!p->dynamic.items[i].operand.is_return)
			return true;
	for (size_t i = 0; i < p->values.n; i++)
		if (!p->values.items[i].from.is_return ||
			condition_reads_arguments(p->values.items[i].only))
			return true;
	return condition_reads_arguments(p->only) || condition_reads_arguments(p->errors);
}

uint32_t carried_words(const struct dynamic_label *l)
{
	uint32_t bytes = l->source == LABEL_COMM ? CARRIED_COMM_BYTES : l->size;

	if (l->source == LABEL_COMM ||
		(l->source == LABEL_OPERAND && operand_is_text(l->operand.type)))
		return 1 + (bytes + 7) / 8;
	return l->source == LABEL_EXE ? 2 : 1;
}

static void report(struct reader *r, const struct node *node, const char *key, const char *mistake)
{
	located_add(r->errors, node_key(node, key)->place, "`%s` %s", key, mistake);
}

typedef bool operand_rule(const struct operand *o);

static bool is_result(const struct operand *o)
{
	return o->is_return;
}

static bool condition_has(const struct condition *c, operand_rule *rule)
{
	return c && rule(&c->operand);
}

static bool labels_have(const struct dynamic_labels *labels, operand_rule *rule)
{
	for (size_t i = 0; i < labels->n; i++)
		if (labels->items[i].source == LABEL_OPERAND && rule(&labels->items[i].operand))
			return true;
	return false;
}

static bool values_have(const struct values *values, operand_rule *rule)
{
	for (size_t i = 0; i < values->n; i++)
		if (rule(&values->items[i].from) || condition_has(values->items[i].only, rule))
			return true;
	return false;
}

/* Reports each key of the probe that has an operand for which the rule holds. */
static void refuse(struct reader *r, const struct node *node, const struct probe *p,
	operand_rule *rule, const char *mistake)
{
	if (condition_has(p->errors, rule))
		report(r, node, "errors", mistake);
	if (condition_has(p->only, rule))
		report(r, node, "only", mistake);
	if (values_have(&p->values, rule))
		report(r, node, "values", mistake);
	if (labels_have(&p->dynamic, rule))
		report(r, node, "labels", mistake);
}

static void check_source(struct reader *r, const struct node *node, const struct probe *p)
{
	if (usdt_is_passed(node))
		refuse(r, node, p, is_result,
			"needs a return, which a point that is passed has not: "
			"`usdt: {start: ..., end: ...}` has the end's arguments as `return`, "
			"`return2`...");
	else if (p->exit == EXIT_NONE)
		refuse(r, node, p, is_result, "needs the return, which `exit: none` doesn't see");
}

/* Numbers that wait in a call's frame. */
static void check_carried(struct reader *r, const struct node *node, const struct probe *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->values.n; i++)
		n += carried_value_is_late(p, &p->values.items[i]) &&
		     !p->values.items[i].from.is_return;
	if (n > CONFIG_MAX_CARRIED)
		located_add(r->errors, node_key(node, "values")->place,
			"`values` has %zu numbers from arguments that wait for the return; %d is "
			"the most",
			n, CONFIG_MAX_CARRIED);
}

static void check_size(struct reader *r, const struct node *node, const struct probe *p)
{
	size_t n_words = 0, n_starts = 0;

	for (size_t i = 0; i < p->dynamic.n; i++) {
		n_words += carried_words(&p->dynamic.items[i]);
		n_starts += p->dynamic.items[i].partition.n_starts;
	}
	if (n_words > CONFIG_MAX_KEY_WORDS)
		located_add(r->errors, node_key(node, "labels")->place,
			"`labels` take %zu bytes of every call; %d is the most: give texts a "
			"smaller `size`",
			8 * n_words, 8 * CONFIG_MAX_KEY_WORDS);
	if (n_starts > CONFIG_MAX_STARTS)
		located_add(r->errors, node_key(node, "labels")->place,
			"`labels` divide numbers at %zu places; %d is the most", n_starts,
			CONFIG_MAX_STARTS);
}

static bool has_mapping(const struct node *labels)
{
	for (size_t i = 0; labels && i < labels->n; i++)
		if (labels->items[i]->kind == NODE_MAPPING)
			return true;
	return false;
}

static void settle_max_series(struct reader *r, const struct node *node, struct probe *p)
{
	const struct node *key = node_key(node, "max_series");
	uint32_t most = r->config->max_series;

	if (!p->max_series)
		p->max_series = SERIES_DEFAULT < most ? SERIES_DEFAULT : most;
	if (key && !has_mapping(node_get(node, "labels")))
		report(r, node, "max_series", "is for labels whose values calls bring along");
	else if (key && p->max_series > most)
		located_add(r->errors, key->place,
			"`max_series` is above that of all probes together, %u", most);
}

void carried_check(struct reader *r, const struct node *node, struct probe *p)
{
	check_source(r, node, p);
	check_carried(r, node, p);
	check_size(r, node, p);
	settle_max_series(r, node, p);
}
