/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the room: how Go's functions see to it that their stack is large enough. */
#pragma once

#include "code/walk.h"

struct stack_check {
	size_t at;         /* the branch that the last check ends with */
	uint8_t condition; /* holds there where the check is passed, and the call goes on */
};

/* false where the function doesn't begin with such a check, or goes back to its first instruction
 * in other ways too. */
bool stack_check_find(const struct walk *w, struct stack_check *out);

/* Whether it finds out by itself on which goroutine it runs, before it calls anything: who calls
 * it doesn't say. */
bool goroutine_is_looked_up(const struct walk *w);
