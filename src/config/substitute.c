// SPDX-License-Identifier: Apache-2.0
/*
 * As in a shell, :- stands in for a variable that is unset or empty. Unlike in a shell, one that
 * is unset and has no default is an error: a typing error must not make an empty label. What comes
 * out is not looked at again, so a value can't smuggle in another variable. A $ before anything
 * but { and $ is itself: regular expressions end in one.
 */
#include "config/substitute.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"

#define NAME_START "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
#define NAME_REST NAME_START "0123456789"

/* One ${...}. */
struct variable {
	char *name;
	char *otherwise; /* NULL: none */
};

static void variable_deinit(struct variable *v)
{
	free(v->name);
	free(v->otherwise);
}

/* body: what is between the braces. */
static int variable_init(struct variable *v, const char *body, struct error *e)
{
	size_t n = strcspn(body, NAME_START) ? 0 : strspn(body, NAME_REST);
	const char *rest = body + n;

	if (!n || (*rest && strncmp(rest, ":-", 2) != 0))
		return error_set(e, -EINVAL, "write ${NAME} or ${NAME:-default}, or $$ for a $");
	if (strstr(rest, "${"))
		return error_set(e, -EINVAL, "a default can't hold another ${NAME}");
	v->name = memory_printf("%.*s", (int)n, body);
	v->otherwise = *rest ? memory_strdup(rest + 2) : NULL;
	return 0;
}

static int put_value(const struct variable *v, struct buffer *out, struct error *e)
{
	const char *value = getenv(v->name);

	if (v->otherwise && (!value || !*value))
		value = v->otherwise;
	if (!value)
		return error_set(e, -EINVAL,
			"${%s} is not set in the environment and has no default (${%s:-default})",
			v->name, v->name);
	for (const char *c = value; *c; c += utf8_sequence_size(c))
		if (!utf8_sequence_size(c))
			return error_set(e, -EINVAL, "the value of ${%s} is not UTF-8", v->name);
	buffer_puts(out, value);
	return 0;
}

/* *text is at ${ and moves behind the closing brace. */
static int put_variable(const char **text, struct buffer *out, struct error *e)
{
	_cleanup_(variable_deinit) struct variable v = {};
	_cleanup_(freep) char *body = NULL;
	const char *end = strchr(*text, '}');
	int r;

	if (!end)
		return error_set(e, -EINVAL, "${ without a }; write $$ for a $");
	body = memory_printf("%.*s", (int)(end - *text - 2), *text + 2);
	*text = end + 1;
	r = variable_init(&v, body, e);
	return r ? r : put_value(&v, out, e);
}

int substitute(const char *text, struct buffer *out, bool *replaced, struct error *e)
{
	int r = 0;

	*replaced = false;
	while (*text && !r && out->size <= SUBSTITUTE_MAX) {
		if (!strncmp(text, "${", 2)) {
			*replaced = true;
			r = put_variable(&text, out, e);
			continue;
		}
		if (!strncmp(text, "$$", 2))
			text++;
		buffer_putc(out, *text++);
	}
	if (!r && out->size > SUBSTITUTE_MAX)
		r = error_set(e, -EINVAL, "a value may have %d bytes at most", SUBSTITUTE_MAX);
	return r;
}
