// SPDX-License-Identifier: Apache-2.0
/*
 * The measure is the number of edits that turn one name into the other: a character inserted,
 * left out or replaced, or two neighbours swapped. Upper and lower case count as equal. Close means
 * one edit for every three characters, and one for short names; more is another name, not a slip.
 *
 * The table of prefix distances is computed row by row, of which three are kept (a swap looks two
 * back). A row whose smallest entry is no better than what is known ends the work: with a
 * million symbols as candidates, nearly all end after a few rows.
 */
#include "base/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

struct nearest nearest_to(const char *text)
{
	size_t length = strlen(text);

	return (struct nearest){
		.text = text,
		.length = length,
		.distance = length < 6 ? 2 : length / 3 + 1,
	};
}

static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Fills row i of the table from the two rows above it; returns its smallest entry. */
static size_t fill_row(size_t *row, const size_t *above, const size_t *twice_above, const char *a,
	const char *b, size_t i, size_t n_b)
{
	size_t least = i;

	row[0] = i;
	for (size_t j = 1; j <= n_b; j++) {
		row[j] = smaller(row[j - 1], above[j]) + 1;
		row[j] = smaller(row[j], above[j - 1] + !same(a[i - 1], b[j - 1]));
		if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
			row[j] = smaller(row[j], twice_above[j - 2] + 1);
		least = smaller(least, row[j]);
	}
	return least;
}

/* The distance of a and b, or limit when it is no smaller. */
static size_t distance(const char *a, size_t n_a, const char *b, size_t n_b, size_t limit)
{
	size_t rows[3][NEAREST_LONGEST + 1];

	for (size_t j = 0; j <= n_b; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= n_a; i++)
		if (fill_row(rows[i % 3], rows[(i + 2) % 3], rows[(i + 1) % 3], a, b, i, n_b) >=
			limit)
			return limit;
	return smaller(rows[n_a % 3][n_b], limit);
}

void nearest_offer(struct nearest *n, const char *candidate)
{
	size_t length = strnlen(candidate, NEAREST_LONGEST + 1);
	size_t difference = length > n->length ? length - n->length : n->length - length;
	size_t found;

	if (length > NEAREST_LONGEST || n->length > NEAREST_LONGEST || difference >= n->distance)
		return;
	found = distance(n->text, n->length, candidate, length, n->distance);
	if (found < n->distance) {
		n->best = candidate;
		n->distance = found;
	}
}
