// SPDX-License-Identifier: Apache-2.0
/* A list of growing blocks; the newest has the free room. Large requests get a block each. */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

enum { FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20 };

struct block {
	struct block *next;
	alignas(max_align_t) char bytes[];
};

struct arena {
	struct block *blocks;
	size_t used, capacity; /* of the newest block */
	size_t total;
};

struct arena *arena_new(void)
{
	return memory_alloc(sizeof(struct arena));
}

void arena_free(struct arena *a)
{
	struct block *next;

	if (!a)
		return;
	for (struct block *b = a->blocks; b; b = next) {
		next = b->next;
		free(b);
	}
	free(a);
}

static void add_block(struct arena *a, size_t at_least)
{
	size_t capacity = a->capacity ? a->capacity * 2 : FIRST_BLOCK;
	struct block *b;

	if (capacity > LARGEST_BLOCK)
		capacity = LARGEST_BLOCK;
	if (capacity < at_least)
		capacity = at_least;
	b = memory_alloc(sizeof(*b) + capacity);
	b->next = a->blocks;
	a->blocks = b;
	a->used = 0;
	a->capacity = capacity;
}

void *arena_alloc(struct arena *a, size_t size)
{
	const size_t align = alignof(max_align_t);
	void *p;

	size = (size + align - 1) / align * align;
	if (!a->blocks || a->capacity - a->used < size)
		add_block(a, size);
	p = a->blocks->bytes + a->used;
	a->used += size;
	a->total += size;
	return p;
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
	if (size && count > PTRDIFF_MAX / size)
		abort();
	return arena_alloc(a, count * size);
}

char *arena_strndup(struct arena *a, const char *text, size_t n)
{
	char *copy = arena_alloc(a, n + 1);

	memcpy(copy, text, n);
	return copy;
}

char *arena_strdup(struct arena *a, const char *text)
{
	return arena_strndup(a, text, strlen(text));
}

char *arena_printf(struct arena *a, const char *format, ...)
{
	_cleanup_(freep) char *text = NULL;
	va_list args;

	va_start(args, format);
	text = memory_vprintf(format, args);
	va_end(args);
	return arena_strdup(a, text);
}

size_t arena_size(const struct arena *a)
{
	return a->total;
}
