// SPDX-License-Identifier: Apache-2.0
/*
 * The text format's escapes: backslash, newline and, in a value, the double quote. Everything
 * else passes as it is once it is valid UTF-8.
 */
#include "metric/label.h"

#include <string.h>

#include "base/utf8.h"

static const char *escape_help(char c)
{
	switch (c) {
	case '\\':
		return "\\\\";
	case '\n':
		return "\\n";
	default:
		return NULL;
	}
}

static const char *escape_value(char c)
{
	return c == '"' ? "\\\"" : escape_help(c);
}

const char *label_escape_help(const char *help, struct arena *a)
{
	_cleanup_(buffer_deinit) struct buffer text = {};

	utf8_put(&text, help, escape_help);
	return arena_strndup(a, buffer_text(&text), text.size);
}

/* value itself where it is valid, else a repaired copy. */
static const char *valid_value(const char *value, struct arena *a)
{
	_cleanup_(buffer_deinit) struct buffer text = {};

	if (utf8_put(&text, value, NULL))
		return value;
	return arena_strndup(a, buffer_text(&text), text.size);
}

static void put_label(struct buffer *text, const struct label *l)
{
	if (text->size)
		buffer_putc(text, ',');
	buffer_puts(text, l->name);
	buffer_puts(text, "=\"");
	utf8_put(text, l->value, escape_value);
	buffer_putc(text, '"');
}

void label_set_init(struct label_set *out, const struct label *labels, size_t n, struct arena *a)
{
	_cleanup_(buffer_deinit) struct buffer text = {};
	struct label *items = arena_array(a, n, sizeof(*items));

	for (size_t i = 0; i < n; i++) {
		items[i] = (struct label){labels[i].name, valid_value(labels[i].value, a)};
		put_label(&text, &items[i]);
	}
	*out = (struct label_set){
		.items = items,
		.n = n,
		.text = arena_strndup(a, buffer_text(&text), text.size),
		.text_size = text.size,
	};
}
