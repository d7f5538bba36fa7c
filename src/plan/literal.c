// SPDX-License-Identifier: Apache-2.0
/*
 * A pattern is read once, from left to right, and cut into runs of characters that stand for
 * themselves. What is optional, repeated, alternative or not understood ends a run, so that a run
 * which is kept is in every name that matches.
 */
#include "plan/literal.h"

#include <string.h>

/* A pattern on its way. */
struct runs {
	struct literals *found;
	struct buffer current;
	bool at_start; /* current began where the name must begin */
};

void literals_deinit(struct literals *l)
{
	buffer_deinit(&l->head);
	buffer_deinit(&l->tail);
	buffer_deinit(&l->inner);
}

static void keep_run(struct runs *r, struct buffer *as)
{
	buffer_clear(as);
	buffer_puts(as, buffer_text(&r->current));
	buffer_clear(&r->current);
}

static void end_run(struct runs *r)
{
	if (r->at_start)
		keep_run(r, &r->found->head);
	else if (r->current.size > r->found->inner.size)
		keep_run(r, &r->found->inner);
	buffer_clear(&r->current);
	r->at_start = false;
}

/* At the end of the name. */
static void end_last_run(struct runs *r)
{
	if (!r->at_start)
		keep_run(r, &r->found->tail);
	end_run(r);
}

/* The run's last character need not be there. */
static void end_run_before_last(struct runs *r)
{
	if (r->current.size)
		r->current.data[--r->current.size] = '\0';
	end_run(r);
}

static void read_glob(struct runs *r, const char *text)
{
	r->at_start = true;
	for (; *text; text++) {
		if (*text == '[' || *text == '\\') {
			end_run(r);
			return;
		}
		if (*text == '*' || *text == '?')
			end_run(r);
		else
			buffer_putc(&r->current, *text);
	}
	end_last_run(r);
}

/* Behind a bracket expression that begins at text, or at the end. */
static const char *skip_bracket(const char *text)
{
	text += text[1] == '^' ? 2 : 1;
	if (*text == ']')
		text++;
	for (; *text && *text != ']'; text++) {
		const char *end = NULL;

		if (*text == '[' && strchr(":.=", text[1]) && text[1])
			end = strchr(text + 2, ']');
		if (end)
			text = end;
	}
	return *text ? text + 1 : text;
}

/* Behind a group that begins at text, or at the end. */
static const char *skip_group(const char *text)
{
	size_t depth = 0;

	while (*text) {
		if (*text == '[') {
			text = skip_bracket(text);
			continue;
		}
		if (*text == '\\' && text[1])
			text++;
		else if (*text == '(')
			depth++;
		else if (*text == ')' && !--depth)
			return text + 1;
		text++;
	}
	return text;
}

static const char *skip_braces(const char *text)
{
	const char *end = strchr(text, '}');

	return end ? end + 1 : text + 1;
}

static const char *read_escape(struct runs *r, const char *text)
{
	if (text[1] && strchr(".[]()*+?{}|^$\\/-", text[1])) {
		buffer_putc(&r->current, text[1]);
		return text + 2;
	}
	end_run(r);
	return text + (text[1] ? 2 : 1);
}

/* One element of an extended regular expression; returns what is behind it. */
static const char *read_element(struct runs *r, const char *text)
{
	if (*text == '\\')
		return read_escape(r, text);
	if (strchr("*?+{", *text)) { /* + too: a+? is an optional a */
		end_run_before_last(r);
		return *text == '{' ? skip_braces(text) : text + 1;
	}
	if (*text == '[' || *text == '(') {
		end_run(r);
		return *text == '[' ? skip_bracket(text) : skip_group(text);
	}
	if (*text == '$' && !text[1])
		end_last_run(r);
	else if (strchr(".^$)", *text))
		end_run(r);
	else
		buffer_putc(&r->current, *text);
	return text + 1;
}

/* Whether the whole expression is one of several. */
static bool has_alternatives(const char *text)
{
	while (*text && *text != '|') {
		if (*text == '[')
			text = skip_bracket(text);
		else if (*text == '(')
			text = skip_group(text);
		else
			text += *text == '\\' && text[1] ? 2 : 1;
	}
	return *text == '|';
}

static void read_regex(struct runs *r, const char *text)
{
	if (has_alternatives(text))
		return;
	r->at_start = *text == '^';
	if (r->at_start)
		text++;
	while (*text)
		text = read_element(r, text);
	end_run(r);
}

void literals_init(struct literals *l, const struct pattern *p)
{
	struct runs r = {.found = l};

	*l = (struct literals){};
	if (p->kind == PATTERN_GLOB)
		read_glob(&r, p->text);
	else
		read_regex(&r, p->text);
	buffer_deinit(&r.current);
}
