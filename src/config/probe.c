// SPDX-License-Identifier: Apache-2.0
/*
 * One probe: its table of keys, then what holds between keys, then what the file's `global` fills
 * in. What holds between probes is in names.c and clash.c.
 */
#include "config/probe.h"

#include <string.h>

#include "config/buckets.h"
#include "config/carried.h"
#include "config/clash.h"
#include "config/condition.h"
#include "config/labels.h"
#include "config/names.h"
#include "config/pattern.h"
#include "config/prefix.h"
#include "config/scalar.h"
#include "config/usdt.h"
#include "config/value.h"

static void read_binary(struct reader *r, const char *key, const struct node *value, void *out)
{
	const char *path = value->text, *mistake = NULL;

	if (path[0] != '/')
		mistake = "must be a path that starts with / (library names are not supported yet)";
	else if (strpbrk(path, "*?["))
		mistake = "must be one path: globs (* ? [) are not supported yet";
	else if (path[strlen(path) - 1] == '/')
		mistake = "must be a file, not a directory";
	if (mistake)
		located_add(r->errors, value->place, "`%s` %s", key, mistake);
	else
		scalar_read_line(r, key, value, out);
}

static void read_match(struct reader *r, const char *key, const struct node *value, void *out)
{
	static const char *const names[] = {[MATCH_ONE - 1] = "one", [MATCH_ALL - 1] = "all"};
	int choice = scalar_choice(r, key, value, names, ARRAY_SIZE(names));

	if (choice >= 0)
		*(enum match *)out = MATCH_ONE + (enum match)choice;
}

static void read_exit(struct reader *r, const char *key, const struct node *value, void *out)
{
	static const char *const names[] = {
		[EXIT_AUTO] = "auto",
		[EXIT_URETPROBE] = "uretprobe",
		[EXIT_EXITS] = "exits",
		[EXIT_NONE] = "none",
	};
	int choice = scalar_choice(r, key, value, names, ARRAY_SIZE(names));

	if (choice >= 0)
		*(enum exit_choice *)out = (enum exit_choice)choice;
}

/* The bit of one entry of the list, or 0 (reported). */
static unsigned read_one_measure(
	struct reader *r, const char *key, const struct node *value, unsigned before)
{
	static const char *const names[] = {
		"calls", "duration", "in_flight"}; /* MEASURE_* by bit */
	int choice = -1;

	if (fields_accept_item(r, key, value, NODE_TEXT))
		choice = scalar_choice(r, key, value, names, ARRAY_SIZE(names));
	if (choice < 0)
		return 0;
	if (!(before & 1U << choice))
		return 1U << choice;
	located_add(r->errors, value->place, "`%s` has `%s` twice", key, names[choice]);
	return 0;
}

static void read_measure(struct reader *r, const char *key, const struct node *value, void *out)
{
	unsigned measures = 0;
	bool is_right = true;

	for (size_t i = 0; i < value->n; i++) {
		unsigned measure = read_one_measure(r, key, value->items[i], measures);

		is_right = is_right && measure;
		measures |= measure;
	}
	if (is_right)
		*(unsigned *)out = measures | MEASURE_CALLS;
}

static const struct field rows[] = {
	{"name", NODE_TEXT, scalar_read_line, offsetof(struct probe, name)},
	{"metric", NODE_TEXT, prefix_read, offsetof(struct probe, metric)},
	{"help", NODE_TEXT, scalar_read_text, offsetof(struct probe, help)},
	{"binary", NODE_TEXT | FIELD_REQUIRED, read_binary, offsetof(struct probe, binary)},
	{"function", NODE_TEXT | NODE_LIST, patterns_read, offsetof(struct probe, functions)},
	{"usdt", NODE_TEXT | NODE_LIST | NODE_MAPPING, usdt_read, offsetof(struct probe, usdt)},
	{"exclude", NODE_TEXT | NODE_LIST, patterns_read, offsetof(struct probe, exclude)},
	{"match", NODE_TEXT, read_match, offsetof(struct probe, match)},
	{"measure", NODE_LIST, read_measure, offsetof(struct probe, measures)},
	{"buckets", NODE_LIST | NODE_MAPPING, buckets_read, offsetof(struct probe, bounds)},
	{"exit", NODE_TEXT, read_exit, offsetof(struct probe, exit)},
	{"unsafe", NODE_BOOLEAN, scalar_read_boolean, offsetof(struct probe, is_unsafe)},
	{"errors", NODE_TEXT, condition_read, offsetof(struct probe, errors)},
	{"only", NODE_TEXT, condition_read, offsetof(struct probe, only)},
	{"values", NODE_LIST, values_read, offsetof(struct probe, values)},
	{"labels", NODE_MAPPING, labels_read_of_probe},
	{"max_series", NODE_NUMBER, scalar_read_max_series, offsetof(struct probe, max_series)},
};

static const struct fields fields = {"a probe", rows, ARRAY_SIZE(rows)};

/* exit: none leaves nothing to time, and a point that is passed has no end. */
static void settle_measures(struct reader *r, const struct node *node, struct probe *p)
{
	unsigned timed = MEASURE_DURATION | MEASURE_IN_FLIGHT;
	bool has_end = p->exit != EXIT_NONE && !usdt_is_passed(node);

	if (!node_get(node, "measure"))
		p->measures = MEASURE_CALLS | (has_end ? MEASURE_DURATION : 0);
	else if (p->exit == EXIT_NONE && p->measures & timed)
		located_add(r->errors, node_get(node, "exit")->place,
			"`exit: none` sees no call end, but `measure` needs that");
}

/* Only a return probe can be unsafe. */
static void check_unsafe(struct reader *r, const struct node *node, const struct probe *p)
{
	const struct node *key = node_key(node, "unsafe");

	if (key && p->exit != EXIT_URETPROBE)
		located_add(r->errors, key->place, "`unsafe` is only for `exit: uretprobe`");
}

static void settle_bounds(struct reader *r, const struct node *node, struct probe *p)
{
	const struct node *key = node_key(node, "buckets");

	p->has_native_histograms = r->config->has_native_histograms;
	if (!key)
		p->bounds = r->config->bounds;
	else if (p->measures && !(p->measures & MEASURE_DURATION))
		located_add(r->errors, key->place,
			"`buckets` are for durations, which this probe does not measure");
}

/* All probes without `metric` share one family, so one of them can't give it its help. */
static void check_help(struct reader *r, const struct node *node, const struct probe *p)
{
	const struct node *key = node_key(node, "help");
	bool is_shared = p->metric ? !strcmp(p->metric, PREFIX_DEFAULT) : !node_get(node, "metric");

	if (key && is_shared)
		located_add(r->errors, key->place, "`help` needs a `metric` of its own");
}

static void read_probe(struct reader *r, const struct node *node, struct probe *p)
{
	p->line = node->place.line;
	if (!fields_accept(r, fields.owner, node, NODE_MAPPING))
		return;
	fields_read(r, &fields, node, p);
	settle_measures(r, node, p);
	usdt_check(r, node, p);
	settle_bounds(r, node, p);
	check_unsafe(r, node, p);
	check_help(r, node, p);
	carried_check(r, node, p);
	labels_merge(r->config->arena, &r->config->labels, p);
}

void probes_read(struct reader *r, const char *key __attribute__((unused)),
	const struct node *value, void *out __attribute__((unused)))
{
	struct config *c = r->config;

	c->n_probes = value->n;
	c->probes = arena_array(c->arena, value->n, sizeof(c->probes[0]));
	for (size_t i = 0; i < value->n; i++)
		read_probe(r, value->items[i], &c->probes[i]);
	names_settle(r, value);
	clash_check(r, value);
}
