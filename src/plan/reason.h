/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why a probe isn't all that was asked for: troubles, which keep it from being ready, and notes.
 * What is said of several functions is said once, with their names in front.
 */
#pragma once

#include <stdbool.h>

#include "base/arena.h"

struct reason;

struct reasons {
	struct arena *arena;
	struct reason *troubles, *notes; /* uthash by text, in order of arrival */
};

void reasons_deinit(struct reasons *r);

/* text and subject live as long as the arena, or are copied into it where they are formatted. */
void reasons_trouble(struct reasons *r, const char *subject, const char *text);
void reasons_troublef(struct reasons *r, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void reasons_note(struct reasons *r, const char *subject, const char *text);

/* One line for each, troubles first, in a; NULL where there is none. */
const char *reasons_text(const struct reasons *r, struct arena *a);
