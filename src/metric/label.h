/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Label sets, ready to be copied: escaped once when a plan comes into force, not in every scrape.
 */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "config/config.h"

/* items are valid UTF-8 and not escaped (what a binary encoding sends); text is
 * `name="value",name="value"`, escaped, without braces (what the text formats send). */
struct label_set {
	const struct label *items;
	size_t n;
	const char *text;
	size_t text_size;
};

/* Borrows names and values; all else lives in a. Invalid UTF-8 in a value is spelt out. */
void label_set_init(struct label_set *out, const struct label *labels, size_t n, struct arena *a);

/* The text of a HELP line for help, in a. */
const char *label_escape_help(const char *help, struct arena *a);
