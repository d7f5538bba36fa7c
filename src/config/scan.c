// SPDX-License-Identifier: Apache-2.0
/*
 * A scalar of several lines (a block) is read as one: its line ends are blanks.
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

bool scan_fail(const struct scan *s, const char *at, const char *format, ...)
{
	_cleanup_(freep) char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = memory_vprintf(format, arguments);
	va_end(arguments);
	located_add(s->reader->errors, node_place(s->node, (size_t)(at - s->text)), "`%s`: %s",
		s->key, text);
	return false;
}

void scan_blanks(struct scan *s)
{
	s->at += strspn(s->at, " \t\n");
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
	if (isalnum((unsigned char)*end) || *end == '_' || (*end == '.' && end[1] != '.'))
		return scan_fail(s, end, "the number must be whole, and of digits alone");
	s->at = end;
	*out = number;
	return true;
}

bool scan_end(struct scan *s)
{
	scan_blanks(s);
	return !*s->at || scan_fail(s, s->at, "nothing more is expected here");
}

size_t scan_find(const char *word, const char *const *names, size_t n)
{
	size_t i = 0;

	while (i < n && strcmp(names[i], word) != 0)
		i++;
	return i;
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
