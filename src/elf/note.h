/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the room: what tools leave in a file for each other, one note behind the other. */
#pragma once

#include "elf/cursor.h"

struct note {
	uint64_t type;
	struct cursor owner, description;
};

/* Takes the next note of those at c, in which names and descriptions are padded to a multiple of
 * alignment (what is not 8 is 4). false at their end, or where they make no sense: then c is
 * broken. */
bool note_next(struct note *out, struct cursor *c, uint64_t alignment);

bool note_is(const struct note *n, const char *owner, uint64_t type);
