// SPDX-License-Identifier: Apache-2.0
#include "plan/listing.h"

#include <string.h>

void listing_add(struct listing *l, const char *item)
{
	if (l->n < LISTING_SHOWN)
		l->items[l->n] = item;
	l->n++;
}

bool listing_has(const struct listing *l, const char *item)
{
	for (size_t i = 0; i < l->n && i < LISTING_SHOWN; i++)
		if (!strcmp(l->items[i], item))
			return true;
	return false;
}

void listing_put(const struct listing *l, struct buffer *out)
{
	for (size_t i = 0; i < l->n && i < LISTING_SHOWN; i++)
		buffer_printf(out, "%s%s", i ? ", " : "", l->items[i]);
	if (l->n > LISTING_SHOWN)
		buffer_printf(out, " and %zu more", l->n - LISTING_SHOWN);
}
