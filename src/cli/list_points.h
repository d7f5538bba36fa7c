/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The USDT points of a file for people and for programs: each once, with all of its places.
 *
 * As JSON a list, one object each:
 *   point       PROVIDER:NAME
 *   places      how many there are, and refused, how many of them can't be probed
 *   addresses   of the places, texts in hexadecimal
 *   arguments   where the first place has them, in the assembler's words; or null
 *   semaphore   whether one guards it
 *   cost        the dearest place's ("nop5", "nop" or "step"); or null
 *   refusal     why the first one that is refused is; or null
 */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "plan/plan.h"

/* {} is a valid empty one. */
struct list_points {
	struct list_point *items; /* in the order of their first places */
	size_t n, capacity;
};
void list_points_deinit(struct list_points *l);

/* Adds a place; for plan_list(). Those of one point come one after the other. */
void list_points_add(const struct plan_site *s, const char *label, void *list_points);

void list_points_put(const struct list_points *l, FILE *out);
json_t *list_points_json(const struct list_points *l);
