// SPDX-License-Identifier: Apache-2.0
#include "elf/note.h"

#include <string.h>

/* Takes n bytes and those up to the next multiple of alignment, counted from where the notes begin;
 * the last may lack these. */
static struct cursor take_padded(struct cursor *c, uint64_t n, uint64_t alignment)
{
	struct cursor part = cursor_part(c, n);
	uint64_t padding = -c->address % alignment, left = (uint64_t)(c->end - c->at);

	cursor_part(c, padding < left ? padding : left);
	return part;
}

bool note_next(struct note *out, struct cursor *c, uint64_t alignment)
{
	uint64_t n_owner, n_description, to = alignment == 8 ? 8 : 4;

	if (c->at >= c->end)
		return false;
	n_owner = cursor_take(c, 4);
	n_description = cursor_take(c, 4);
	out->type = cursor_take(c, 4);
	out->owner = take_padded(c, n_owner, to);
	out->description = take_padded(c, n_description, to);
	return !c->is_broken;
}

bool note_is(const struct note *n, const char *owner, uint64_t type)
{
	size_t size = strlen(owner) + 1;

	return n->type == type && (size_t)(n->owner.end - n->owner.at) == size &&
	       !memcmp(n->owner.at, owner, size);
}
