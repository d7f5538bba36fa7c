// SPDX-License-Identifier: Apache-2.0
/* Each part is written with its length in front: no two lists of parts give one text. */
#include "plan/identity.h"

#include <inttypes.h>
#include <string.h>

#include "base/number.h"
#include "config/carried.h"

static void put_text(struct buffer *b, const char *text)
{
	buffer_printf(b, "%zu:%s,", strlen(text), text);
}

static void put_number(struct buffer *b, uint64_t value)
{
	number_put_unsigned(b, value);
	buffer_putc(b, ',');
}

/* What isn't there is told from all that is. */
static void put_condition(struct buffer *b, const struct condition *c)
{
	put_text(b, c ? c->text : "");
}

static void put_label(struct buffer *b, const struct dynamic_label *l)
{
	put_text(b, l->name);
	put_number(b, l->source);
	put_text(b, l->source == LABEL_OPERAND ? l->operand.text : "");
	put_number(b, l->size);
	put_number(b, l->partition.n_starts);
	for (size_t i = 0; i < l->partition.n_starts; i++)
		put_number(b, l->partition.starts[i]);
	for (size_t i = 0; l->partition.texts && i <= l->partition.n_starts; i++)
		put_text(b, l->partition.texts[i] ? l->partition.texts[i] : "");
}

static void put_value(struct buffer *b, const struct value *v)
{
	put_text(b, v->metric);
	put_text(b, v->from.text);
	put_condition(b, v->only);
	put_number(b, v->form);
	put_number(b, v->n_bounds);
	for (size_t i = 0; i < v->n_bounds; i++)
		put_number(b, v->bounds[i]);
}

/* All that decides about cells and label sets. */
static void put_carried(struct buffer *b, const struct probe *p)
{
	buffer_puts(b, "carries,");
	put_number(b, p->max_series);
	put_condition(b, p->only);
	put_condition(b, p->errors);
	for (size_t i = 0; i < p->dynamic.n; i++)
		put_label(b, &p->dynamic.items[i]);
	for (size_t i = 0; i < p->values.n; i++)
		put_value(b, &p->values.items[i]);
}

const char *series_identity(const struct plan_series *s, struct arena *a)
{
	_cleanup_(buffer_deinit) struct buffer b = {};
	const struct probe *p = s->probe->config;

	put_text(&b, p->name);
	put_text(&b, s->binary);
	put_text(&b, s->function);
	put_number(&b, p->labels.n);
	for (size_t i = 0; i < p->labels.n; i++) {
		put_text(&b, p->labels.items[i].name);
		put_text(&b, p->labels.items[i].value);
	}
	for (size_t i = 0; i < p->bounds.n; i++)
		put_number(&b, p->bounds.ns[i]);
	if (p->has_native_histograms)
		put_text(&b, "native");
	if (carried_is_wanted(p))
		put_carried(&b, p);
	return arena_strdup(a, buffer_text(&b));
}

const char *site_key(const struct plan_site *s, struct arena *a)
{
	_cleanup_(buffer_deinit) struct buffer b = {};
	const struct target *t = s->target;
	const uint64_t numbers[] = {
		t->device,
		t->inode,
		t->size_bytes,
		(uint64_t)t->modified.tv_sec,
		(uint64_t)t->modified.tv_nsec,
		(uint64_t)t->changed.tv_sec,
		(uint64_t)t->changed.tv_nsec,
		s->offset,
		s->behind,
		s->depth,
		s->exit,
		s->series->measures,
	};

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		put_number(&b, numbers[i]);
	for (size_t i = 0; i < s->n_exits; i++)
		put_number(&b, s->exits[i].offset);
	put_number(&b, s->point && s->point->is_nested);
	buffer_puts(&b, s->series->identity);
	return arena_strdup(a, buffer_text(&b));
}
