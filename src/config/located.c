// SPDX-License-Identifier: Apache-2.0
/*
 * Errors are found in the order of the checks and wanted in the order of the file: each is
 * inserted at its place, and the last falls off the end when there are too many.
 *
 * The caret stands right on any terminal because the text before it is the line's own with every
 * character but tabs made a space. A line of thousands of characters is shown in part.
 */
#include "config/located.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"

enum { QUOTED_MAX = 60, SHOWN_MAX = 120, SHOWN_BEFORE = 60 };

int place_compare(struct place a, struct place b)
{
	if (a.line != b.line)
		return a.line < b.line ? -1 : 1;
	return a.column < b.column ? -1 : a.column > b.column;
}

static void insert(struct located *l, size_t at, struct located_error error)
{
	size_t n_moved;

	if (at == LOCATED_MAX)
		return;
	if (l->n < LOCATED_MAX)
		l->n++;
	n_moved = l->n - at - 1;
	memmove(&l->errors[at + 1], &l->errors[at], n_moved * sizeof(l->errors[0]));
	l->errors[at] = error;
}

void located_add(struct located *l, struct place place, const char *format, ...)
{
	_cleanup_(freep) char *text = NULL;
	size_t at = l->n;
	va_list args;

	va_start(args, format);
	text = memory_vprintf(format, args);
	va_end(args);
	while (at && place_compare(l->errors[at - 1].place, place) > 0)
		at--;
	for (size_t i = at; i && !place_compare(l->errors[i - 1].place, place); i--)
		if (!strcmp(l->errors[i - 1].text, text))
			return;
	l->n_found++;
	insert(l, at, (struct located_error){place, arena_strdup(l->arena, text)});
}

static const char *next_character(const char *c)
{
	size_t size = utf8_sequence_size(c);

	return c + (size ? size : 1);
}

static bool is_printable(const char *c)
{
	size_t size = utf8_sequence_size(c);
	unsigned char first = (unsigned char)c[0];

	if (size == 1)
		return (first >= ' ' && first != 0x7f) || first == '\t';
	return size && !(first == 0xc2 && (unsigned char)c[1] < 0xa0);
}

/* Appends the character at c, or ? where it can't be shown. */
static void put_character(struct buffer *out, const char *c)
{
	if (is_printable(c))
		buffer_append(out, c, utf8_sequence_size(c));
	else
		buffer_putc(out, '?');
}

const char *located_quote(const struct located *l, const char *text)
{
	_cleanup_(buffer_deinit) struct buffer quoted = {};

	for (size_t n = 0; *text && n < QUOTED_MAX; n++, text = next_character(text))
		put_character(&quoted, text);
	return arena_printf(l->arena, "`%s%s`", buffer_text(&quoted), *text ? "..." : "");
}

static const char *find_line(const char *text, unsigned line)
{
	for (unsigned i = 1; i < line; i++) {
		const char *end = strchr(text, '\n');

		if (!end)
			return text + strlen(text);
		text = end + 1;
	}
	return text;
}

static bool is_line_end(const char *c)
{
	return !*c || *c == '\n' || (c[0] == '\r' && c[1] == '\n');
}

/* Moves over at most n characters; *n_skipped says how many there were. */
static const char *skip_characters(const char *line, unsigned n, unsigned *n_skipped)
{
	for (*n_skipped = 0; *n_skipped < n && !is_line_end(line); ++*n_skipped)
		line = next_character(line);
	return line;
}

/* Where to start showing line: at its start, or near column when it is long. */
static const char *shown_part(const char *line, unsigned column, unsigned *n_skipped)
{
	const char *rest = skip_characters(line, SHOWN_MAX, n_skipped);
	unsigned n = is_line_end(rest) || column <= SHOWN_BEFORE ? 0 : column - SHOWN_BEFORE;

	return skip_characters(line, n, n_skipped);
}

static void render_line(const char *line, unsigned column, struct buffer *out)
{
	_cleanup_(buffer_deinit) struct buffer shown = {}, below = {};
	unsigned n = 0, last;

	line = shown_part(line, column, &n);
	last = n + SHOWN_MAX;
	if (n) {
		buffer_puts(&shown, "...");
		buffer_puts(&below, "   ");
	}
	while (!is_line_end(line) && n++ < last) {
		if (n < column)
			buffer_putc(&below, *line == '\t' ? '\t' : ' ');
		put_character(&shown, line);
		line = next_character(line);
	}
	buffer_printf(out, "\n    %s%s", buffer_text(&shown), is_line_end(line) ? "" : "...");
	buffer_printf(out, "\n    %s^", buffer_text(&below));
}

void located_render(const struct located *l, const char *name, const char *text, struct buffer *out)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct located_error *e = &l->errors[i];

		buffer_printf(out, "%s%s:%u:%u: %s", i ? "\n" : "", name, e->place.line,
			e->place.column, e->text);
		render_line(find_line(text, e->place.line), e->place.column, out);
	}
	if (l->n_found > l->n)
		buffer_printf(out, "\n%s: %zu more not shown", name, l->n_found - l->n);
}
