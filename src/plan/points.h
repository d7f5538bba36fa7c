/* SPDX-License-Identifier: Apache-2.0 */
/* The USDT points of a file, as a table. */
#pragma once

#include "base/arena.h"
#include "elf/usdt.h"

/* See struct elf_point. Points of one name share the text. */
struct point {
	const char *name, *arguments;
	uint64_t address, semaphore;
};

/* At which calls may begin, or end. */
enum { MOST_PLACES = 4096 };

struct points {
	struct point *items; /* by name, then address; no two alike */
	size_t n;
	const char *trouble; /* why these may not be all; or NULL */
};

/* Reads the notes of a file; what is kept lies in a. */
void points_load(struct points *out, const struct elf_file *elf, struct arena *a);

/* The first of that name, and how many there are; NULL: none. */
const struct point *points_find(const struct points *p, const char *name, size_t *n);

/* The address of the semaphore that guards the point at an address, or 0. */
uint64_t points_semaphore_at(const struct points *p, uint64_t address);
