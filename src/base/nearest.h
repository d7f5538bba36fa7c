/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "Did you mean ...?": the candidate that a misspelt name was most likely to be.
 *
 *     struct nearest n = nearest_to("fucntion");
 *     for each candidate: nearest_offer(&n, candidate);
 *     n.best is the closest one, or NULL when none is close
 */
#pragma once

#include <stddef.h>

/* Longer names are not compared: the cost of one offer is bounded by this squared. */
enum { NEAREST_LONGEST = 128 };

struct nearest {
	const char *text; /* borrowed */
	const char *best; /* borrowed from the candidates; the first of equally close ones */
	size_t length;
	size_t distance; /* of best; before there is one, the first distance that is too far */
};

struct nearest nearest_to(const char *text);
void nearest_offer(struct nearest *n, const char *candidate);
