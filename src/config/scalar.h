/* SPDX-License-Identifier: Apache-2.0 */
/* Values that are one scalar. */
#pragma once

#include "config/fields.h"

/* Into a const char *: any text; text of one line, without control characters. */
field_read scalar_read_text;
field_read scalar_read_line;

/* Into a bool. */
field_read scalar_read_boolean;

/* Into a uint32_t: how many series there may be. */
field_read scalar_read_max_series;

/* Whether text is one line of printable characters; reports it if not. */
bool scalar_is_line(struct reader *r, const char *key, const struct node *value);

/* A whole number from least to most; false (reported) when value is none. */
bool scalar_whole(struct reader *r, const char *key, const struct node *value, uint64_t least,
	uint64_t most, uint64_t *out);

/* The place of value's text among n names, or -1 (reported). */
int scalar_choice(struct reader *r, const char *key, const struct node *value,
	const char *const *names, size_t n);

/* A decimal above 1; false where text is none. */
bool scalar_factor(const char *text, double *out);

/* A positive duration; false (reported) when value is none. */
bool scalar_duration(struct reader *r, const char *key, const struct node *value, uint64_t *out_ns);
