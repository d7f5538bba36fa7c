/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mappings by table: a key is a row that says what its value may be, which function reads it and
 * where that goes. Adding a key is adding a row.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "config/config.h"
#include "config/document.h"
#include "config/located.h"

/* What every read function works with. */
struct reader {
	struct config *config;
	struct located *errors;
	size_t regex_weight; /* of all regular expressions so far; see pattern.c */
};

/* What accepts may hold beside kinds. A duration is text; a number is let through for the better
 * message that scalar_duration() has. */
enum {
	FIELD_DURATION = NODE_TEXT | NODE_NUMBER,
	FIELD_REQUIRED = 1 << 16,
	FIELD_MAY_BE_EMPTY = 1 << 17,
};

/* Reads value, the value of key, which is of an accepted kind, into *out. Reports what is wrong
 * with it and leaves *out alone then. */
typedef void field_read(struct reader *r, const char *key, const struct node *value, void *out);

struct field {
	const char *key;
	unsigned accepts; /* kinds of node, FIELD_* */
	field_read *read;
	size_t offset; /* of *out in the object */
};

struct fields {
	const char *owner; /* for messages: "a probe" */
	const struct field *rows;
	size_t n;
};

/* Reads mapping into object, by the rows' order; reports keys that no row has. */
void fields_read(
	struct reader *r, const struct fields *f, const struct node *mapping, void *object);

/* Whether value is of an accepted kind; reports it if not, unless it is broken. subject: what the
 * report calls it. */
bool fields_accept(
	struct reader *r, const char *subject, const struct node *value, unsigned accepts);

/* The same for an item of the list that is key's value. */
bool fields_accept_item(
	struct reader *r, const char *key, const struct node *item, unsigned accepts);
