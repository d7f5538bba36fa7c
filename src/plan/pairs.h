/* SPDX-License-Identifier: Apache-2.0 */
/* Which pairs of neighbouring characters are in a text, hashed: one with pairs that a name lacks is
 * not in the name. {} is that of the empty text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/cleanup.h"

struct pairs {
	uint64_t bits[4];
};

/* A byte for each, and bits of the bytes at the end: it runs for each character of each symbol. */
static inline void pairs_add(struct pairs *p, const char *text, size_t n)
{
	uint8_t has[64 * ARRAY_SIZE(p->bits)] = {};
	uint64_t eight;

	for (size_t i = 0; i + 1 < n; i++)
		has[(uint8_t)((unsigned char)text[i] * 31u + (unsigned char)text[i + 1] * 7u)] = 1;
	for (size_t i = 0; i < sizeof(has); i += sizeof(eight)) {
		memcpy(&eight, has + i, sizeof(eight));
		p->bits[i / 64] |= (eight * 0x0102040810204080 >> 56) << i % 64;
	}
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
