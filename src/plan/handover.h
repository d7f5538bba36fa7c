/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that end with a jump to another function, which returns in their place. Sites on exits see
 * that jump: what the other function takes is not in such a call's duration. */
#pragma once

#include "plan/select.h"

/* At how many of its exits with sites a function jumps. */
size_t handover_count(const struct plan_site *s);

/* Where to, for people: "NAME, NAME or another"; in a. Asked only where there is such an exit. */
const char *handover_names(const struct plan_site *s, const struct function *f, struct arena *a);

/* What is to be told of it; with names, where they are known, if is_named. NULL: there is no such
 * exit. Lives in a, or is static. */
const char *handover_note(
	const struct plan_site *s, const struct function *f, bool is_named, struct arena *a);
