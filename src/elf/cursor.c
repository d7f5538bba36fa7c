// SPDX-License-Identifier: Apache-2.0
#include "elf/cursor.h"

#include <string.h>

enum { RELATIVE = 0x70, TO_ITSELF = 0x10, FORM_LEB = 0x01 };

uint64_t cursor_take(struct cursor *c, size_t n)
{
	uint64_t value = 0;

	if ((size_t)(c->end - c->at) < n) {
		c->is_broken = true;
		return 0;
	}
	memcpy(&value, c->at, n);
	c->at += n;
	c->address += n;
	return value;
}

uint64_t cursor_leb(struct cursor *c)
{
	uint64_t value = 0, byte;
	unsigned shift = 0;

	do {
		byte = cursor_take(c, 1);
		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && !c->is_broken);
	return value;
}

struct cursor cursor_part(struct cursor *c, uint64_t n)
{
	struct cursor part = *c;

	if (n > (uint64_t)(c->end - c->at)) {
		c->is_broken = part.is_broken = true;
		n = 0;
	}
	part.end = part.at + n;
	c->at += n;
	c->address += n;
	return part;
}

static const struct {
	uint8_t size;
	bool is_signed;
} forms[16] = {
	[0x0] = {8, false},
	[0x2] = {2, false},
	[0x3] = {4, false},
	[0x4] = {8, false},
	[0xa] = {2, true},
	[0xb] = {4, true},
	[0xc] = {8, true},
};

uint64_t cursor_number(struct cursor *c, uint8_t encoding)
{
	uint8_t form = encoding & CURSOR_FORM, size = forms[form].size;
	uint64_t value;

	if (form == FORM_LEB)
		return cursor_leb(c);
	if (!size) {
		c->is_broken = true;
		return 0;
	}
	value = cursor_take(c, size);
	if (forms[form].is_signed && size < 8 && value >> (size * 8 - 1))
		value |= ~0ULL << size * 8;
	return value;
}

uint64_t cursor_pointer(struct cursor *c, uint8_t encoding)
{
	uint64_t place = c->address, value = cursor_number(c, encoding);

	if (encoding & (RELATIVE & ~TO_ITSELF))
		c->is_broken = true;
	return value && encoding & TO_ITSELF ? place + value : value;
}
