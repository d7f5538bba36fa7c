// SPDX-License-Identifier: Apache-2.0
/*
 * Any text as an operand, a condition and the ranges of a label (a line each): what is taken keeps
 * its bounds, and reads the same in the form that the exporter itself writes; what isn't is
 * reported at a place in the text.
 */
#include <stdlib.h>

#include "config/condition.h"
#include "config/partition.h"

enum { RANGES_MAX = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct trial {
	struct config config;
	struct located errors;
	struct reader reader;
	struct node text;
};

static void trial_init(struct trial *t, const uint8_t *data, size_t size)
{
	t->config = (struct config){.arena = arena_new()};
	t->errors = (struct located){.arena = t->config.arena};
	t->reader = (struct reader){.config = &t->config, .errors = &t->errors};
	t->text = (struct node){
		.kind = NODE_TEXT,
		.place = {1, 1},
		.text = arena_strndup(t->config.arena, (const char *)data, size),
		.first_column = 1,
	};
}

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* Errors since the last look; each lies in the text, or just behind it. */
static bool has_failed(struct trial *t)
{
	bool has = t->errors.n;

	for (size_t i = 0; i < t->errors.n; i++)
		require(t->errors.errors[i].place.column >= 1 &&
			t->errors.errors[i].place.column <= strlen(t->text.text) + 1);
	t->errors.n = t->errors.n_found = 0;
	return has;
}

static bool is_same(const struct operand *a, const struct operand *b)
{
	return a->type == b->type && a->is_return == b->is_return && a->number == b->number &&
	       a->n_offsets == b->n_offsets && !memcmp(a->offsets, b->offsets, sizeof(a->offsets));
}

static void try_operand(struct trial *t)
{
	struct operand o = {}, again = {};
	struct node text = t->text;

	operand_read(&t->reader, "from", &t->text, &o);
	require(has_failed(t) == !o.text);
	if (!o.text)
		return;
	require(o.number >= 1 && o.number <= CONFIG_MAX_ARGUMENTS);
	require(o.n_offsets <= CONFIG_MAX_OFFSETS && o.type < N_OPERAND_TYPES);
	text.text = o.text;
	operand_read(&t->reader, "from", &text, &again);
	require(again.text && is_same(&o, &again));
}

static void try_condition(struct trial *t)
{
	struct condition *c = NULL, *again = NULL;
	struct node text = t->text;

	condition_read(&t->reader, "only", &t->text, &c);
	require(has_failed(t) == !c);
	if (!c)
		return;
	require(c->low <= c->high && !operand_is_text(c->operand.type));
	text.text = c->text;
	condition_read(&t->reader, "only", &text, &again);
	require(again && is_same(&c->operand, &again->operand) && c->low == again->low &&
		c->high == again->high && c->is_outside == again->is_outside);
}

/* A range a line, named by its first character. */
static size_t split(struct trial *t, struct node *nodes, struct node **keys, struct node **names)
{
	struct arena *arena = t->config.arena;
	char *rest = arena_strdup(arena, t->text.text), *line;
	size_t n = 0;

	while (n < RANGES_MAX && (line = strsep(&rest, "\n"))) {
		nodes[2 * n] = t->text;
		nodes[2 * n].text = line;
		nodes[2 * n + 1] = t->text;
		nodes[2 * n + 1].text =
			arena_printf(arena, "%c", "abc"[(unsigned char)line[0] % 3]);
		keys[n] = &nodes[2 * n];
		names[n] = &nodes[2 * n + 1];
		n++;
	}
	return n;
}

static void try_ranges(struct trial *t, enum operand_type type)
{
	struct node nodes[2 * RANGES_MAX], *keys[RANGES_MAX], *names[RANGES_MAX];
	struct node ranges = {.kind = NODE_MAPPING, .place = {1, 1}, .keys = keys, .items = names};
	const struct partition_keys all = {.ranges = &ranges};
	struct partition p = {};

	ranges.n = split(t, nodes, keys, names);
	partition_read(&t->reader, &all, type, &p);
	if (has_failed(t))
		return;
	require(p.texts);
	for (size_t i = 0; i < p.n_starts; i++) {
		require(p.starts[i] > (i ? p.starts[i - 1] : 0));
		require(p.texts[i] || p.texts[i + 1]);
		require(!p.texts[i] || !p.texts[i + 1] || strcmp(p.texts[i], p.texts[i + 1]));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum operand_type types[] = {
		OPERAND_S8, OPERAND_U64, OPERAND_S64, OPERAND_BOOL};
	struct trial t;

	trial_init(&t, data, size);
	try_operand(&t);
	try_condition(&t);
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		try_ranges(&t, types[i]);
	arena_free(t.config.arena);
	return 0;
}
