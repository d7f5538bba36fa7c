/* SPDX-License-Identifier: Apache-2.0 */
/* Which pairs of neighbouring characters are in a text, hashed: one with pairs that a name lacks is
 * not in the name. {} is that of the empty text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pairs {
	uint64_t bits[4];
};

/* Without an index into bits, so that they stay in registers: it runs for each character of each
 * symbol. */
static inline void pairs_add(struct pairs *p, const char *text, size_t n)
{
	uint64_t a = 0, b = 0, c = 0, d = 0;

	for (size_t i = 0; i + 1 < n; i++) {
		unsigned pair = (unsigned char)text[i] * 31u + (unsigned char)text[i + 1] * 7u;
		uint64_t bit = 1ull << pair % 64;
		unsigned which = pair / 64 % 4;

		a |= which == 0 ? bit : 0;
		b |= which == 1 ? bit : 0;
		c |= which == 2 ? bit : 0;
		d |= which == 3 ? bit : 0;
	}
	p->bits[0] |= a;
	p->bits[1] |= b;
	p->bits[2] |= c;
	p->bits[3] |= d;
}

static inline bool pairs_hold(const struct pairs *p, const struct pairs *wanted)
{
	return !((wanted->bits[0] & ~p->bits[0]) | (wanted->bits[1] & ~p->bits[1]) |
		 (wanted->bits[2] & ~p->bits[2]) | (wanted->bits[3] & ~p->bits[3]));
}

/* A name that many patterns are tried on. */
struct subject {
	const char *name;
	size_t n;
	struct pairs pairs;
};

void subject_init(struct subject *s, const char *name);
