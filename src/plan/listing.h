/* SPDX-License-Identifier: Apache-2.0 */
/* A list of names for people: the first few, and how many more. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

enum { LISTING_SHOWN = 20 };

struct listing {
	const char *items[LISTING_SHOWN]; /* borrowed */
	size_t n;                         /* of all */
};

void listing_add(struct listing *l, const char *item);
bool listing_has(const struct listing *l, const char *item);   /* among those shown */
void listing_put(const struct listing *l, struct buffer *out); /* "a, b and 3 more" */
