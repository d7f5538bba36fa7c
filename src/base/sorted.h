/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays in ascending order of a number, such as an address. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The index of the first of n items above key; n where there is none. Each item takes size bytes
 * and begins with its number. */
static inline size_t sorted_above(const void *items, size_t n, size_t size, uint64_t key)
{
	size_t first = 0, end = n;

	while (first < end) {
		size_t middle = first + (end - first) / 2;
		uint64_t number;

		memcpy(&number, (const char *)items + middle * size, sizeof(number));
		if (number <= key)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}
