// SPDX-License-Identifier: Apache-2.0
/*
 * Where a character of a scalar lies in the file is known if what comes before it in the scalar
 * also stands so in the file, behind an opening quote at most. Where it doesn't (escapes, replaced
 * variables, several lines) the scalar's own place has to do.
 */
#include "config/scan.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>

#include "base/memory.h"
#include "base/nearest.h"

struct scan scan_of(struct reader *r, const char *key, const struct node *node)
{
	return (struct scan){r, key, node, node->text, node->text};
}

static bool is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Where a place's character begins in the file, or NULL. */
static const char *text_at(const char *file, struct place place)
{
	for (unsigned line = 1; line < place.line; line++) {
		file = strchr(file, '\n');
		if (!file)
			return NULL;
		file++;
	}
	for (unsigned column = 1; column < place.column && *file; column++)
		for (file++; is_continuation(*file);)
			file++;
	return file;
}

static struct place place_of(const struct scan *s, const char *at)
{
	struct place place = s->node->place;
	const char *file = text_at(s->reader->text, place);
	size_t n = (size_t)(at - s->text);

	if (!file)
		return place;
	if (*file == '"' || *file == '\'') {
		file++;
		place.column++;
	}
	if (strncmp(file, s->text, n) != 0)
		return s->node->place;
	for (const char *c = s->text; c < at; c++)
		place.column += !is_continuation(*c);
	return place;
}

bool scan_fail(const struct scan *s, const char *at, const char *format, ...)
{
	_cleanup_(freep) char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = memory_vprintf(format, arguments);
	va_end(arguments);
	located_add(s->reader->errors, place_of(s, at), "`%s`: %s", s->key, text);
	return false;
}

void scan_blanks(struct scan *s)
{
	while (*s->at == ' ' || *s->at == '\t')
		s->at++;
}

bool scan_text(struct scan *s, const char *text)
{
	size_t n = strlen(text);

	if (strncmp(s->at, text, n) != 0)
		return false;
	s->at += n;
	return true;
}

const char *scan_word(struct scan *s)
{
	const char *start = s->at;

	while (isalnum((unsigned char)*s->at) || *s->at == '_')
		s->at++;
	return arena_strndup(s->reader->config->arena, start, (size_t)(s->at - start));
}

bool scan_integer(struct scan *s, struct integer *out)
{
	const char *start = s->at;
	struct integer number = {.is_negative = scan_text(s, "-")};
	int base = scan_text(s, "0x") ? 16 : 10;
	char *end;

	if (!isxdigit((unsigned char)*s->at) || (base == 10 && !isdigit((unsigned char)*s->at)))
		return scan_fail(
			s, start, "a whole number is expected here, such as 5, -1 or 0x1f");
	errno = 0;
	number.magnitude = strtoull(s->at, &end, base);
	if (errno)
		return scan_fail(s, start, "the number has more than 64 bits");
	if (isalnum((unsigned char)*end) || *end == '_')
		return scan_fail(s, end, "no digit");
	s->at = end;
	*out = number;
	return true;
}

bool scan_end(struct scan *s)
{
	scan_blanks(s);
	return !*s->at || scan_fail(s, s->at, "nothing more is expected here");
}

const char *scan_choices(const struct scan *s, const char *word, const char *const *names, size_t n)
{
	_cleanup_(buffer_deinit) struct buffer list = {};
	struct nearest nearest = nearest_to(word);

	for (size_t i = 0; i < n; i++) {
		buffer_printf(&list, "%s%s", !i ? "" : i + 1 < n ? ", " : " or ", names[i]);
		nearest_offer(&nearest, names[i]);
	}
	if (nearest.best)
		buffer_printf(&list, "; did you mean `%s`?", nearest.best);
	return arena_strdup(s->reader->errors->arena, buffer_text(&list));
}
