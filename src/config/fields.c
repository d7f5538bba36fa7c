// SPDX-License-Identifier: Apache-2.0
/*
 * Strict by construction: what a table doesn't have is unknown, and every value passes the check
 * of its kind before its row's function sees it.
 */
#include "config/fields.h"

#include "base/buffer.h"
#include "base/nearest.h"

/* The first names win: sets come before their parts. */
static const struct {
	unsigned kinds;
	const char *name;
} names[] = {
	{NODE_SCALAR, "text, a number or a boolean"},
	{FIELD_DURATION, "a duration"},
	{NODE_TEXT, "text"},
	{NODE_NUMBER, "a number"},
	{NODE_BOOLEAN, "a boolean"},
	{NODE_LIST, "a list"},
	{NODE_MAPPING, "a mapping"},
};

/* "text or a list" */
static void name_kinds(struct buffer *out, unsigned kinds)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if ((kinds & names[i].kinds) != names[i].kinds)
			continue;
		buffer_printf(out, "%s%s", out->size ? " or " : "", names[i].name);
		kinds &= ~names[i].kinds;
	}
}

static void report_kind(
	struct reader *r, const char *subject, const struct node *value, unsigned accepts)
{
	_cleanup_(buffer_deinit) struct buffer wanted = {}, found = {};
	bool quotes_help = (accepts & NODE_SCALAR) == NODE_TEXT && value->kind & NODE_SCALAR;

	name_kinds(&wanted, accepts);
	name_kinds(&found, value->kind);
	located_add(r->errors, value->place, "%s must be %s, not %s%s", subject,
		buffer_text(&wanted), buffer_text(&found),
		quotes_help ? ": quotes make it text" : "");
}

static bool is_empty(const struct node *value)
{
	return value->text ? !*value->text : !value->n;
}

bool fields_accept(
	struct reader *r, const char *subject, const struct node *value, unsigned accepts)
{
	unsigned kind = value->kind | (value->is_substituted ? NODE_SCALAR : 0);

	if (value->kind == NODE_BROKEN)
		return false;
	if (value->kind == NODE_NULL)
		located_add(r->errors, value->place, "%s has no value", subject);
	else if (!(kind & accepts))
		report_kind(r, subject, value, accepts);
	else if (is_empty(value) && !(accepts & FIELD_MAY_BE_EMPTY))
		located_add(r->errors, value->place, "%s is empty", subject);
	else
		return true;
	return false;
}

bool fields_accept_item(
	struct reader *r, const char *key, const struct node *item, unsigned accepts)
{
	_cleanup_(buffer_deinit) struct buffer subject = {};

	buffer_printf(&subject, "an item of `%s`", key);
	return fields_accept(r, buffer_text(&subject), item, accepts);
}

static bool has_row(const struct fields *f, const char *key)
{
	for (size_t i = 0; i < f->n; i++)
		if (!strcmp(f->rows[i].key, key))
			return true;
	return false;
}

static void report_unknown(struct reader *r, const struct fields *f, const struct node *key)
{
	const char *quoted = located_quote(r->errors, key->text);
	struct nearest n = nearest_to(key->text);

	for (size_t i = 0; i < f->n; i++)
		nearest_offer(&n, f->rows[i].key);
	if (n.best)
		located_add(r->errors, key->place, "unknown key %s in %s; did you mean `%s`?",
			quoted, f->owner, n.best);
	else
		located_add(r->errors, key->place, "unknown key %s in %s", quoted, f->owner);
}

static void refuse_unknown(struct reader *r, const struct fields *f, const struct node *mapping)
{
	for (size_t i = 0; i < mapping->n; i++)
		if (mapping->keys[i]->kind != NODE_BROKEN && !has_row(f, mapping->keys[i]->text))
			report_unknown(r, f, mapping->keys[i]);
}

static void read_row(struct reader *r, const struct fields *f, const struct field *row,
	const struct node *mapping, void *object)
{
	const struct node *value = node_get(mapping, row->key);
	const char *quoted = located_quote(r->errors, row->key);

	if (value && fields_accept(r, quoted, value, row->accepts))
		row->read(r, row->key, value, (char *)object + row->offset);
	else if (!value && row->accepts & FIELD_REQUIRED)
		located_add(r->errors, mapping->keys[0]->place, "%s needs %s", f->owner, quoted);
}

void fields_read(struct reader *r, const struct fields *f, const struct node *mapping, void *object)
{
	refuse_unknown(r, f, mapping);
	for (size_t i = 0; i < f->n; i++)
		read_row(r, f, &f->rows[i], mapping, object);
}
