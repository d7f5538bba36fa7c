// SPDX-License-Identifier: Apache-2.0
/*
 * fnmatch() and regexec() take up to a microsecond for a name, which a million symbols times
 * twenty patterns can't afford. Nearly every pattern has some text in it that stands for itself:
 * that must be in the name; whether it can be there is told from the pairs of characters in the
 * name, which are noted once for all patterns. The runs are found carefully: what is optional,
 * repeated, alternative or not understood ends one.
 */
#include "plan/matcher.h"

#include <string.h>

#include "base/buffer.h"

/* Collects runs of literal characters: the first and the last if they stand at the ends of the
 * name, and the longest of all others. */
struct runs {
	struct buffer current, head, tail, inner;
	bool at_start; /* current began where the name must begin */
};

static void runs_deinit(struct runs *r)
{
	buffer_deinit(&r->current);
	buffer_deinit(&r->head);
	buffer_deinit(&r->tail);
	buffer_deinit(&r->inner);
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
		keep_run(r, &r->head);
	else if (r->current.size > r->inner.size)
		keep_run(r, &r->inner);
	buffer_clear(&r->current);
	r->at_start = false;
}

/* At the end of the name. */
static void end_last_run(struct runs *r)
{
	if (!r->at_start)
		keep_run(r, &r->tail);
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

/* One element of an extended regular expression; returns what is behind it. */
static const char *read_element(struct runs *r, const char *text)
{
	switch (*text) {
	case '*':
	case '?':
		end_run_before_last(r);
		return text + 1;
	case '{':
		end_run_before_last(r);
		return skip_braces(text);
	case '[':
		end_run(r);
		return skip_bracket(text);
	case '(':
		end_run(r);
		return skip_group(text);
	case '$':
		if (text[1])
			end_run(r);
		else
			end_last_run(r);
		return text + 1;
	case '\\':
		if (!text[1] || !strchr(".[]()*+?{}|^$\\/-", text[1])) {
			end_run(r);
			return text + (text[1] ? 2 : 1);
		}
		text++;
		break;
	case '.':
	case '+':
	case '^':
	case ')':
		end_run(r);
		return text + 1;
	default:
		break;
	}
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

static void add_pairs(struct pairs *p, const char *text, size_t n)
{
	for (size_t i = 0; i + 1 < n; i++) {
		unsigned pair = (unsigned char)text[i] * 31u + (unsigned char)text[i + 1] * 7u;

		p->bits[pair / 64 % ARRAY_SIZE(p->bits)] |= 1ull << pair % 64;
	}
}

static bool has_pairs(const struct pairs *p, const struct pairs *wanted)
{
	for (size_t i = 0; i < ARRAY_SIZE(p->bits); i++)
		if (wanted->bits[i] & ~p->bits[i])
			return false;
	return true;
}

static const char *keep(const struct buffer *run, size_t *n, struct arena *a)
{
	*n = run->size;
	return arena_strndup(a, buffer_text(run), run->size);
}

void matcher_init(struct matcher *m, const struct pattern *p, struct arena *a)
{
	_cleanup_(runs_deinit) struct runs r = {};

	if (p->kind == PATTERN_GLOB)
		read_glob(&r, p->text);
	else
		read_regex(&r, p->text);
	*m = (struct matcher){.pattern = p};
	m->head = keep(&r.head, &m->n_head, a);
	m->tail = keep(&r.tail, &m->n_tail, a);
	m->inner = keep(&r.inner, &m->n_inner, a);
	add_pairs(&m->pairs, m->head, m->n_head);
	add_pairs(&m->pairs, m->tail, m->n_tail);
	add_pairs(&m->pairs, m->inner, m->n_inner);
}

void subject_init(struct subject *s, const char *name)
{
	*s = (struct subject){.name = name, .n = strlen(name)};
	add_pairs(&s->pairs, s->name, s->n);
}

bool matcher_matches(const struct matcher *m, const struct subject *s)
{
	if (s->n < m->n_head || s->n < m->n_tail || !has_pairs(&s->pairs, &m->pairs))
		return false;
	if (memcmp(s->name, m->head, m->n_head) != 0)
		return false;
	if (memcmp(s->name + s->n - m->n_tail, m->tail, m->n_tail) != 0)
		return false;
	if (m->n_inner && !memmem(s->name, s->n, m->inner, m->n_inner))
		return false;
	return pattern_matches(m->pattern, s->name);
}
