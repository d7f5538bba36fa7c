// SPDX-License-Identifier: Apache-2.0
/*
 * Families of different kinds, texts or bounds must not have a name in common. The names of a
 * family are those of its samples (a histogram's end in _bucket, _sum and _count), its own, and a
 * counter's without _total, which is what OpenMetrics calls it.
 *
 * Names made of one prefix don't meet, and those of two prefixes don't either, because none of the
 * endings ends in another; what a value is called is free, and so can meet anything.
 */
#include "config/clash.h"

#include <string.h>
#include <uthash.h>

#include "base/memory.h"
#include "config/prefix.h"

/* What is behind a name. */
struct family {
	const char *name; /* as it is written, or made */
	const struct probe *probe;
	const struct value *value; /* NULL: of a prefix */
	struct place place;
};

struct name {
	UT_hash_handle hh;
	char *text;
	struct family family;
};

struct names {
	struct reader *reader;
	struct name *all;
};

static void names_deinit(struct names *n)
{
	struct name *name, *next;

	HASH_ITER (hh, n->all, name, next) {
		HASH_DEL(n->all, name);
		free(name->text);
		free(name);
	}
}

/* The family that had the text first, or NULL: then it is this one's. Takes text. */
static struct family *enter(struct names *n, char *text, const struct family *f)
{
	struct name *name;

	HASH_FIND_STR(n->all, text, name);
	if (name) {
		free(text);
		return &name->family;
	}
	name = memory_alloc(sizeof(*name));
	name->text = text;
	name->family = *f;
	HASH_ADD_KEYPTR(hh, n->all, name->text, strlen(name->text), name);
	return NULL;
}

static bool has_same_bounds(const struct value *a, const struct value *b)
{
	if (a->n_bounds != b->n_bounds)
		return false;
	for (size_t i = 0; i < a->n_bounds; i++)
		if (operand_order(operand_is_signed(a->from.type), a->bounds[i]) !=
			operand_order(operand_is_signed(b->from.type), b->bounds[i]))
			return false;
	return true;
}

/* Why the two can't be one family; NULL: they are. */
static const char *difference(const struct family *a, const struct family *b)
{
	if (!a->value && !b->value)
		return NULL;
	if (!a->value || !b->value || strcmp(a->name, b->name) != 0)
		return "";
	if (a->probe == b->probe)
		return ", in the same probe";
	if (a->value->help && b->value->help && strcmp(a->value->help, b->value->help) != 0)
		return ", with another help";
	if (a->value->n_bounds && b->value->n_bounds && !has_same_bounds(a->value, b->value))
		return ", with other buckets";
	return NULL;
}

static void report(
	struct names *n, const struct family *first, const struct family *f, const char *why)
{
	if (!strcmp(first->name, f->name))
		located_add(n->reader->errors, f->place, "the metric %s is also in line %u%s",
			located_quote(n->reader->errors, f->name), first->place.line, why);
	else
		located_add(n->reader->errors, f->place,
			"the metric %s shares a name with %s in line %u",
			located_quote(n->reader->errors, f->name),
			located_quote(n->reader->errors, first->name), first->place.line);
}

/* Enters base + each ending; reports a family that is in the way. Of several values the first that
 * has a help stands for the name, so that another help is noticed. */
static void enter_all(struct names *n, const struct family *f, const char *base,
	const char *const *endings, size_t n_endings)
{
	for (size_t i = 0; i < n_endings; i++) {
		struct family *first = enter(n, memory_printf("%s%s", base, endings[i]), f);
		const char *why = first ? difference(first, f) : NULL;

		if (why) {
			report(n, first, f, why);
			return;
		}
		if (first && f->value && !first->value->help)
			*first = *f;
	}
}

static void enter_counter(struct names *n, const struct family *f)
{
	static const char *const endings[] = {"", "_total"};
	_cleanup_(freep) char *base =
		memory_printf("%.*s", (int)(strlen(f->name) - strlen("_total")), f->name);

	enter_all(n, f, base, endings, ARRAY_SIZE(endings));
}

static void enter_histogram(struct names *n, const struct family *f)
{
	static const char *const endings[] = {"", "_bucket", "_sum", "_count"};

	enter_all(n, f, f->name, endings, ARRAY_SIZE(endings));
}

static void enter_gauge(struct names *n, const struct family *f)
{
	static const char *const endings[] = {""};

	enter_all(n, f, f->name, endings, ARRAY_SIZE(endings));
}

/* Families that a prefix makes. */
static const struct {
	const char *ending;
	unsigned measure; /* that makes it; 0: `errors` does */
	void (*enter)(struct names *n, const struct family *f);
} made[] = {
	{"_calls_total", MEASURE_CALLS, enter_counter},
	{"_duration_seconds", MEASURE_DURATION, enter_histogram},
	{"_in_flight", MEASURE_IN_FLIGHT, enter_gauge},
	{"_errors_total", 0, enter_counter},
};

static void enter_made(struct names *n, const struct node *node, const struct probe *p)
{
	const struct node *metric = node_get(node, "metric");

	for (size_t i = 0; i < ARRAY_SIZE(made); i++) {
		struct family f = {.probe = p, .place = metric ? metric->place : node->place};

		if (made[i].measure ? !(p->measures & made[i].measure) : !p->errors)
			continue;
		f.name = arena_printf(n->reader->errors->arena, "%s%s",
			p->metric ? p->metric : PREFIX_DEFAULT, made[i].ending);
		made[i].enter(n, &f);
	}
}

static void enter_value(
	struct names *n, const struct probe *p, const struct node *node, const struct value *v)
{
	const struct family f = {v->metric, p, v, node_get(node, "metric")->place};

	if (v->form == VALUE_COUNTER)
		enter_counter(n, &f);
	else
		enter_histogram(n, &f);
}

/* Whether enough of it was right. */
static bool is_whole(const struct value *v)
{
	return v->metric && (v->form != VALUE_COUNTER || strlen(v->metric) > strlen("_total"));
}

static void enter_probe(struct names *n, const struct node *node, const struct probe *p)
{
	const struct node *values = node_get(node, "values");

	enter_made(n, node, p);
	for (size_t i = 0; i < p->values.n; i++)
		if (is_whole(&p->values.items[i]))
			enter_value(n, p, values->items[i], &p->values.items[i]);
}

void clash_check(struct reader *r, const struct node *probes)
{
	_cleanup_(names_deinit) struct names names = {.reader = r};

	for (size_t i = 0; i < r->config->n_probes; i++)
		if (probes->items[i]->kind == NODE_MAPPING)
			enter_probe(&names, probes->items[i], &r->config->probes[i]);
}
