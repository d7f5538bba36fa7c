// SPDX-License-Identifier: Apache-2.0
/*
 * A table of lead bytes says how long a sequence is and what its second byte may be; that alone
 * shuts out overlong forms, surrogates and what is past U+10FFFF. All later bytes are 80..BF.
 */
#include "base/utf8.h"

#include <string.h>

struct lead {
	unsigned char first, last; /* lead bytes of this row */
	unsigned char low, high;   /* range of the second byte */
	size_t size;
};

static const struct lead leads[] = {
	{0xc2, 0xdf, 0x80, 0xbf, 2},
	{0xe0, 0xe0, 0xa0, 0xbf, 3},
	{0xe1, 0xec, 0x80, 0xbf, 3},
	{0xed, 0xed, 0x80, 0x9f, 3},
	{0xee, 0xef, 0x80, 0xbf, 3},
	{0xf0, 0xf0, 0x90, 0xbf, 4},
	{0xf1, 0xf3, 0x80, 0xbf, 4},
	{0xf4, 0xf4, 0x80, 0x8f, 4},
};

static bool tail_is_valid(const unsigned char *bytes, const struct lead *l)
{
	if (bytes[1] < l->low || bytes[1] > l->high)
		return false;
	for (size_t i = 2; i < l->size; i++)
		if ((bytes[i] & 0xc0) != 0x80)
			return false;
	return true;
}

size_t utf8_sequence_size(const char *text)
{
	const unsigned char *bytes = (const unsigned char *)text;

	if (bytes[0] < 0x80)
		return bytes[0] != '\0';
	for (size_t i = 0; i < ARRAY_SIZE(leads); i++)
		if (bytes[0] >= leads[i].first && bytes[0] <= leads[i].last)
			return tail_is_valid(bytes, &leads[i]) ? leads[i].size : 0;
	return 0;
}

static void put_ascii(struct buffer *b, char c, utf8_escape *escape)
{
	const char *instead = escape ? escape(c) : NULL;

	if (instead)
		buffer_puts(b, instead);
	else
		buffer_putc(b, c);
}

static void put_spelt_out(struct buffer *b, unsigned char byte, utf8_escape *escape)
{
	static const char digits[] = "0123456789abcdef";
	const char text[] = {'\\', 'x', digits[byte >> 4], digits[byte & 15]};

	for (size_t i = 0; i < sizeof(text); i++)
		put_ascii(b, text[i], escape);
}

bool utf8_put_bytes(struct buffer *b, const char *bytes, size_t n_bytes, utf8_escape *escape)
{
	const char *end = bytes + n_bytes;
	bool valid = true;
	size_t n;

	for (; bytes < end; bytes += n ? n : 1) {
		n = utf8_sequence_size(bytes);
		if (n == 1)
			put_ascii(b, *bytes, escape);
		else if (n)
			buffer_append(b, bytes, n);
		else
			put_spelt_out(b, (unsigned char)*bytes, escape);
		valid &= n != 0;
	}
	return valid;
}

bool utf8_put(struct buffer *b, const char *text, utf8_escape *escape)
{
	return utf8_put_bytes(b, text, strlen(text), escape);
}

/* The size of a character that begins with this byte, or 0. */
static size_t size_by_lead(unsigned char byte)
{
	for (size_t i = 0; i < ARRAY_SIZE(leads); i++)
		if (byte >= leads[i].first && byte <= leads[i].last)
			return leads[i].size;
	return 0;
}

size_t utf8_whole_size(const char *bytes, size_t n)
{
	size_t begun = 0; /* bytes of the last character */

	while (begun < n && begun < 4 && ((unsigned char)bytes[n - begun - 1] & 0xc0) == 0x80)
		begun++;
	if (begun == n || size_by_lead((unsigned char)bytes[n - begun - 1]) <= begun + 1)
		return n;
	return n - begun - 1;
}
