// SPDX-License-Identifier: Apache-2.0
#include "plan/spelling.h"

#include <ctype.h>
#include <string.h>

bool is_of_identifier(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* Whether the blanks at text may be left out. */
static bool is_idle(const struct buffer *before, const char *text)
{
	char next = text[strspn(text, " \t")];

	return !before->size || !is_of_identifier(before->data[before->size - 1]) ||
	       !is_of_identifier(next);
}

/* Puts some characters up to a blank or bracket, or some blanks, and returns what is behind. */
static const char *put(struct buffer *out, const char *text)
{
	size_t n = strcspn(text, " \t[") + (*text == '[');

	if (n) {
		buffer_append(out, text, n);
		return text + n;
	}
	if (!is_idle(out, text))
		buffer_putc(out, ' ');
	return text + strspn(text, " \t");
}

const char *spelling_of(const char *name, struct buffer *out)
{
	buffer_clear(out);
	while (*name)
		name = put(out, name);
	return buffer_text(out);
}

const char *spelling_without_tags(const char *name, struct buffer *out)
{
	static const char tag[] = "[abi:";

	buffer_clear(out);
	while (*name) {
		const char *end = strncmp(name, tag, strlen(tag)) ? NULL : strchr(name, ']');

		name = end ? end + 1 : put(out, name);
	}
	return buffer_text(out);
}

/* Behind the bracket that closes the one at text, or at the end. */
static const char *skip_brackets(const char *text)
{
	size_t depth = 0;

	for (; *text; text++) {
		depth += *text == '[';
		if (*text == ']' && !--depth)
			return text + 1;
	}
	return text;
}

const char *spelling_of_generic(const char *name, const char *types, struct buffer *out)
{
	buffer_clear(out);
	while (*name) {
		if (*name == '[') {
			buffer_puts(out, types);
			name = skip_brackets(name);
		} else {
			name = put(out, name);
		}
	}
	return buffer_text(out);
}
