// SPDX-License-Identifier: Apache-2.0
#include "metric/family.h"

#include "base/memory.h"

enum { FIRST_CAPACITY = 64 };

void samples_deinit(struct samples *s)
{
	free(s->items);
	*s = (struct samples){};
}

struct sample *samples_add(
	struct samples *s, const struct label_set *labels, const struct label_set *more)
{
	if (s->n == s->capacity) {
		s->capacity = s->capacity ? 2 * s->capacity : FIRST_CAPACITY;
		s->items = memory_grow(s->items, s->capacity, sizeof(*s->items));
	}
	s->items[s->n] = (struct sample){.labels = labels, .more = more};
	return &s->items[s->n++];
}
