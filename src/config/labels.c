// SPDX-License-Identifier: Apache-2.0
#include "config/labels.h"

#include <string.h>

#include "config/dynamic.h"
#include "config/operand.h"

#define NAME_START "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
#define NAME_REST NAME_START "0123456789"

/* What the exporter itself puts on a series. */
static const char *const generated[] = {"probe", "binary", "function", "le", "quantile"};

/* Why no label can have this name, or NULL. */
static const char *name_mistake(const char *name)
{
	if (strcspn(name, NAME_START) || name[strspn(name, NAME_REST)])
		return "is no label name: letters, digits and _, not starting with a digit";
	if (!strncmp(name, "__", 2))
		return "starts with __, which Prometheus keeps for itself";
	for (size_t i = 0; i < ARRAY_SIZE(generated); i++)
		if (!strcmp(name, generated[i]))
			return "is a label that the exporter sets itself";
	return NULL;
}

/* Whether a label can have the name of key; reports it if not. */
static bool is_name(struct reader *r, const struct node *key)
{
	const char *mistake = name_mistake(key->text);

	if (key->kind == NODE_BROKEN)
		return false;
	if (mistake)
		located_add(r->errors, key->place, "%s %s", located_quote(r->errors, key->text),
			mistake);
	return !mistake;
}

static void read_label(
	struct reader *r, const struct node *key, const struct node *value, struct label *out)
{
	if (!is_name(r, key) ||
		!fields_accept(r, located_quote(r->errors, key->text), value, NODE_SCALAR))
		return;
	if (operand_is_written(value->text))
		located_add(r->errors, value->place,
			"%s would always read so: `%s: {from: \"%s\"}` is what a call carries",
			located_quote(r->errors, value->text), key->text, value->text);
	else
		*out = (struct label){
			arena_strdup(r->config->arena, key->text),
			arena_strdup(r->config->arena, value->text),
		};
}

static bool are_too_many(struct reader *r, const char *key, const struct node *value)
{
	if (value->n > LABELS_MAX)
		located_add(r->errors, value->place, "`%s` has %zu; %d is the most", key, value->n,
			LABELS_MAX);
	return value->n > LABELS_MAX;
}

void labels_read(struct reader *r, const char *key, const struct node *value, void *out)
{
	struct labels *labels = out;

	if (are_too_many(r, key, value))
		return;
	labels->n = value->n;
	labels->items = arena_array(r->config->arena, value->n, sizeof(labels->items[0]));
	for (size_t i = 0; i < value->n; i++)
		read_label(r, value->keys[i], value->items[i], &labels->items[i]);
}

static void read_dynamic(struct reader *r, const struct node *key, const struct node *value,
	struct dynamic_labels *out)
{
	struct dynamic_label *l = &out->items[out->n];

	if (!is_name(r, key) || !dynamic_read(r, key->text, value, l))
		return;
	l->name = arena_strdup(r->config->arena, key->text);
	out->n++;
}

static size_t count_mappings(const struct node *value)
{
	size_t n = 0;

	for (size_t i = 0; i < value->n; i++)
		n += value->items[i]->kind == NODE_MAPPING;
	return n;
}

void labels_read_of_probe(struct reader *r, const char *key, const struct node *value, void *out)
{
	size_t n_dynamic = count_mappings(value);
	struct probe *p = out;

	if (are_too_many(r, key, value))
		return;
	if (n_dynamic > CONFIG_MAX_DYNAMIC) {
		located_add(r->errors, value->place,
			"`%s` has %zu that calls tell apart; %d is the most", key, n_dynamic,
			CONFIG_MAX_DYNAMIC);
		return;
	}
	p->labels.items = arena_array(r->config->arena, value->n, sizeof(p->labels.items[0]));
	p->dynamic.items = arena_array(r->config->arena, n_dynamic, sizeof(p->dynamic.items[0]));
	for (size_t i = 0; i < value->n; i++)
		if (value->items[i]->kind == NODE_MAPPING)
			read_dynamic(r, value->keys[i], value->items[i], &p->dynamic);
		else
			read_label(r, value->keys[i], value->items[i],
				&p->labels.items[p->labels.n++]);
}

static bool has(const struct probe *p, const char *name)
{
	for (size_t i = 0; i < p->labels.n; i++)
		if (p->labels.items[i].name && !strcmp(p->labels.items[i].name, name))
			return true;
	for (size_t i = 0; i < p->dynamic.n; i++)
		if (!strcmp(p->dynamic.items[i].name, name))
			return true;
	return false;
}

void labels_merge(struct arena *arena, const struct labels *global, struct probe *own)
{
	struct labels merged = {};

	merged.items = arena_array(arena, global->n + own->labels.n, sizeof(merged.items[0]));
	for (size_t i = 0; i < global->n; i++)
		if (global->items[i].name && !has(own, global->items[i].name))
			merged.items[merged.n++] = global->items[i];
	for (size_t i = 0; i < own->labels.n; i++)
		merged.items[merged.n++] = own->labels.items[i];
	own->labels = merged;
}
