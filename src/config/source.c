// SPDX-License-Identifier: Apache-2.0
/*
 * Two things stand between a file and libyaml.
 *
 * Lines: YAML 1.1 also ends lines at characters that editors and grep do not take for an end (a
 * lone CR, U+0085, U+2028, U+2029). They are refused, like all that is no text, so that line and
 * column mean the same to libyaml, to us and to the reader.
 *
 * Braces: in `{cluster: ${CLUSTER}}` YAML takes the inner braces for another mapping's. Those of
 * ${...} therefore pass libyaml as two characters that nobody uses (the last of Unicode's private
 * planes), and become braces again in the scalars that come out. A character for a character:
 * columns stay true.
 */
#include "config/source.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/utf8.h"

#define BYTE_ORDER_MARK "\ufeff"
#define OPEN "\U0010fffc"
#define CLOSE "\U0010fffd"

static const struct {
	uint32_t first, last;
} forbidden[] = {
	{0x00, 0x08},
	{0x0b, 0x1f},
	{0x7f, 0x9f},
	{0x2028, 0x2029},
	{0xfeff, 0xfeff},
	{0xfffe, 0xffff},
	{0x10fffc, 0x10ffff},
};

static uint32_t decode(const char *text, size_t size)
{
	static const uint8_t first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	uint32_t character = (uint8_t)text[0] & first_bits[size];

	for (size_t i = 1; i < size; i++)
		character = character << 6 | ((uint8_t)text[i] & 0x3f);
	return character;
}

static bool is_forbidden(const char *text, uint32_t character)
{
	if (text[0] == '\r' && text[1] == '\n')
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(forbidden); i++)
		if (character >= forbidden[i].first && character <= forbidden[i].last)
			return true;
	return false;
}

/* Reports what is wrong with the character at text, and is its size, or 0 when it is wrong. */
static size_t check_character(const char *text, struct place place, struct located *errors)
{
	size_t size = *text ? utf8_sequence_size(text) : 1;
	uint32_t character;

	if (!size) {
		located_add(errors, place, "the file must be UTF-8; byte 0x%02x is not",
			(uint8_t)*text);
		return 0;
	}
	character = decode(text, size);
	if (!is_forbidden(text, character))
		return size;
	located_add(errors, place, "the character U+%04X must not stand in the file", character);
	return 0;
}

static int check(const struct source *s, struct located *errors)
{
	struct place place = {1, 1};
	size_t size;

	for (size_t i = 0; i < s->size; i += size) {
		size = check_character(s->text + i, place, errors);
		if (!size)
			return -EINVAL;
		place.column++;
		if (s->text[i] == '\n')
			place = (struct place){place.line + 1, 1};
	}
	return 0;
}

/* Every ${...} that ends in its line. */
static void hide_braces(struct source *s)
{
	const char *kept = s->text, *start, *end;

	for (const char *c = kept; (start = strstr(c, "${")); c = end + (*end != '\0')) {
		end = start + strcspn(start, "}\n");
		if (*end != '}')
			continue;
		buffer_append(&s->yaml, kept, (size_t)(start + 1 - kept));
		buffer_puts(&s->yaml, OPEN);
		buffer_append(&s->yaml, start + 2, (size_t)(end - start - 2));
		buffer_puts(&s->yaml, CLOSE);
		kept = end + 1;
	}
	buffer_puts(&s->yaml, kept);
}

int source_init(
	struct source *s, struct arena *arena, const char *text, size_t n, struct located *errors)
{
	size_t n_mark = strlen(BYTE_ORDER_MARK);

	if (n >= n_mark && !memcmp(text, BYTE_ORDER_MARK, n_mark)) {
		text += n_mark;
		n -= n_mark;
	}
	*s = (struct source){.text = arena_strndup(arena, text, n), .size = n};
	if (check(s, errors))
		return -EINVAL;
	hide_braces(s);
	return 0;
}

void source_deinit(struct source *s)
{
	buffer_deinit(&s->yaml);
}

size_t source_columns(const char *text, size_t n)
{
	size_t columns = 0;

	for (size_t i = 0; i < n; i++)
		columns += ((unsigned char)text[i] & 0xc0) != 0x80;
	return columns;
}

static size_t restored_size(const char *scalar, char *brace)
{
	*brace = !strncmp(scalar, OPEN, strlen(OPEN)) ? '{' : '}';
	if (*brace == '{' || !strncmp(scalar, CLOSE, strlen(CLOSE)))
		return strlen(OPEN);
	return 0;
}

size_t source_restore(char *scalar, size_t n)
{
	size_t kept = 0, size;
	char brace;

	for (size_t i = 0; i < n; i += size) {
		size = restored_size(scalar + i, &brace);
		scalar[kept++] = size ? brace : scalar[i];
		size = size ? size : 1;
	}
	scalar[kept] = '\0';
	return kept;
}
