/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays in ascending order of a number, such as an address. Each item begins with its number. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t sorted_number(const void *item)
{
	uint64_t number;

	memcpy(&number, item, sizeof(number));
	return number;
}

/* For qsort(). */
static inline int sorted_compare(const void *a, const void *b)
{
	uint64_t x = sorted_number(a), y = sorted_number(b);

	return x < y ? -1 : x > y;
}

/* The index of the first of n items above key; n where there is none. Each takes size bytes. */
static inline size_t sorted_above(const void *items, size_t n, size_t size, uint64_t key)
{
	size_t first = 0, end = n;

	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (sorted_number((const char *)items + middle * size) <= key)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}
