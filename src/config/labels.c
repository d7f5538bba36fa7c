// SPDX-License-Identifier: Apache-2.0
#include "config/labels.h"

#include <string.h>

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

static void read_label(
	struct reader *r, const struct node *key, const struct node *value, struct label *out)
{
	const char *mistake = name_mistake(key->text);

	if (key->kind == NODE_BROKEN)
		return;
	if (mistake)
		located_add(r->errors, key->place, "%s %s", located_quote(r->errors, key->text),
			mistake);
	else if (fields_accept(r, located_quote(r->errors, key->text), value, NODE_SCALAR))
		*out = (struct label){
			arena_strdup(r->config->arena, key->text),
			arena_strdup(r->config->arena, value->text),
		};
}

void labels_read(struct reader *r, const char *key, const struct node *value, void *out)
{
	struct labels *labels = out;

	if (value->n > LABELS_MAX) {
		located_add(r->errors, value->place, "`%s` has %zu; %d is the most", key, value->n,
			LABELS_MAX);
		return;
	}
	labels->n = value->n;
	labels->items = arena_array(r->config->arena, value->n, sizeof(labels->items[0]));
	for (size_t i = 0; i < value->n; i++)
		read_label(r, value->keys[i], value->items[i], &labels->items[i]);
}

static bool has(const struct labels *labels, const char *name)
{
	for (size_t i = 0; i < labels->n; i++)
		if (labels->items[i].name && !strcmp(labels->items[i].name, name))
			return true;
	return false;
}

void labels_merge(struct arena *arena, const struct labels *global, struct labels *own)
{
	struct labels merged = {};

	merged.items = arena_array(arena, global->n + own->n, sizeof(merged.items[0]));
	for (size_t i = 0; i < global->n; i++)
		if (global->items[i].name && !has(own, global->items[i].name))
			merged.items[merged.n++] = global->items[i];
	for (size_t i = 0; i < own->n; i++)
		merged.items[merged.n++] = own->items[i];
	*own = merged;
}
