// SPDX-License-Identifier: Apache-2.0
/*
 * Where a label's value comes from decides about all else: numbers can be given names, texts have a
 * size, and what is of the process is what it is. So `from` is read first, and what depends on it
 * afterwards.
 */
#include "config/dynamic.h"

#include "base/nearest.h"
#include "config/partition.h"
#include "config/scalar.h"

/* Words that stand for something of the process. */
static const char *const sources[N_LABEL_SOURCES] = {
	[LABEL_PID] = "pid",
	[LABEL_COMM] = "comm",
	[LABEL_EXE] = "exe",
	[LABEL_CGROUP] = "cgroup",
};

static const char *const later[] = {"container", "pod", "namespace"};

/* A word alone is no operand. Whether it is much like one of the process's; reports it then. */
static bool fail_word(struct reader *r, const char *key, const struct node *value)
{
	struct nearest nearest = nearest_to(value->text);

	for (size_t i = LABEL_PID; i < N_LABEL_SOURCES; i++)
		nearest_offer(&nearest, sources[i]);
	if (!nearest.best)
		return false;
	located_add(r->errors, value->place, "`%s`: %s is no operand; did you mean `%s`?", key,
		located_quote(r->errors, value->text), nearest.best);
	return true;
}

static void read_from(struct reader *r, const char *key, const struct node *value, void *out)
{
	struct dynamic_label *l = out;

	for (size_t i = LABEL_PID; i < N_LABEL_SOURCES; i++)
		if (!strcmp(value->text, sources[i])) {
			l->source = (enum label_source)i;
			return;
		}
	for (size_t i = 0; i < ARRAY_SIZE(later); i++)
		if (!strcmp(value->text, later[i])) {
			located_add(r->errors, value->place, "`%s`: %s is not supported yet", key,
				later[i]);
			return;
		}
	if (!fail_word(r, key, value))
		operand_read(r, key, value, &l->operand);
}

static void read_size(struct reader *r, const char *key, const struct node *value, void *out)
{
	uint64_t n;

	if (scalar_whole(r, key, value, 1, CONFIG_MAX_STRING, &n))
		*(uint32_t *)out = (uint32_t)n;
}

/* What belongs together is read afterwards. */
static void read_later(struct reader *r __attribute__((unused)),
	const char *key __attribute__((unused)), const struct node *value __attribute__((unused)),
	void *out __attribute__((unused)))
{
}

static const struct field rows[] = {
	{"from", NODE_TEXT | FIELD_REQUIRED, read_from},
	{"values", NODE_MAPPING, read_later},
	{"ranges", NODE_MAPPING, read_later},
	{"otherwise", NODE_SCALAR, read_later},
	{"size", NODE_NUMBER, read_size, offsetof(struct dynamic_label, size)},
};

static bool is_text(const struct dynamic_label *l)
{
	return l->source == LABEL_OPERAND ? operand_is_text(l->operand.type)
					  : l->source == LABEL_COMM;
}

/* Whether numbers of the label can be named. */
static bool has_numbers(const struct dynamic_label *l)
{
	return l->source == LABEL_OPERAND && !operand_is_text(l->operand.type);
}

static void check_keys(struct reader *r, const struct node *value, struct dynamic_label *l)
{
	static const char *const of_numbers[] = {"values", "ranges", "otherwise"};
	const struct node *size = node_key(value, "size");

	for (size_t i = 0; i < ARRAY_SIZE(of_numbers); i++) {
		const struct node *key = node_key(value, of_numbers[i]);

		if (key && !has_numbers(l))
			located_add(r->errors, key->place, "`%s` is for numbers", of_numbers[i]);
	}
	if (size && (!is_text(l) || l->source == LABEL_COMM))
		located_add(r->errors, size->place, "`size` is for string and go_string");
}

bool dynamic_read(
	struct reader *r, const char *name, const struct node *value, struct dynamic_label *out)
{
	const struct fields fields = {located_quote(r->errors, name), rows, ARRAY_SIZE(rows)};
	struct dynamic_label l = {.size = CONFIG_STRING_DEFAULT};
	size_t n_before = r->errors->n_found;
	const struct partition_keys keys = {
		node_get(value, "values"),
		node_get(value, "ranges"),
		node_get(value, "otherwise"),
	};

	if (!fields_accept(r, fields.owner, value, NODE_MAPPING))
		return false;
	fields_read(r, &fields, value, &l);
	if (r->errors->n_found != n_before || (l.source == LABEL_OPERAND && !l.operand.text))
		return false;
	check_keys(r, value, &l);
	if (has_numbers(&l))
		partition_read(r, &keys, l.operand.type, &l.partition);
	*out = l;
	return r->errors->n_found == n_before;
}

bool config_names_processes(const struct config *c)
{
	for (size_t i = 0; i < c->n_probes; i++)
		for (size_t k = 0; k < c->probes[i].dynamic.n; k++)
			if (c->probes[i].dynamic.items[k].source != LABEL_OPERAND)
				return true;
	return false;
}

const char *dynamic_source(const struct dynamic_label *l)
{
	return l->source == LABEL_OPERAND ? l->operand.text : sources[l->source];
}
