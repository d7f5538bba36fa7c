// SPDX-License-Identifier: Apache-2.0
#include "plan/paste.h"

#include <ctype.h>
#include <string.h>

#include <stdbool.h>

#include "base/buffer.h"

/* A $ could begin a variable. */
const char *paste_quoted(const char *name, struct arena *a)
{
	_cleanup_(buffer_deinit) struct buffer text = {};

	buffer_putc(&text, '\'');
	for (; *name; name++) {
		if (*name == '\'' || *name == '$')
			buffer_putc(&text, *name);
		buffer_putc(&text, *name);
	}
	buffer_putc(&text, '\'');
	return arena_strdup(a, buffer_text(&text));
}

/* Whether YAML takes it as a text, as it is. */
static bool is_plain(const char *name)
{
	static const char *const words[] = {"true", "false", "null", "yes", "no"};

	if (!isalpha((unsigned char)*name) && *name != '_')
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcasecmp(name, words[i]))
			return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && !strchr("_.~:@", *name))
			return false;
	return name[-1] != ':';
}

const char *paste_name(const char *name, struct arena *a)
{
	return is_plain(name) ? name : paste_quoted(name, a);
}
