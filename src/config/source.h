/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a configuration, checked and made fit for libyaml. */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "config/located.h"

struct source {
	const char *text; /* as given, without a byte order mark; NUL-terminated, in the arena */
	size_t size;
	struct buffer yaml; /* what libyaml reads: as many characters in every line as text has */
};

/* Reports the first character that no configuration may hold, and is -EINVAL then. */
int source_init(
	struct source *s, struct arena *arena, const char *text, size_t n, struct located *errors);
void source_deinit(struct source *s);

/* Columns that the first n bytes of text take, which are well-formed. */
size_t source_columns(const char *text, size_t n);

/* Turns a scalar that libyaml has read from yaml into what text says; returns its new size. */
size_t source_restore(char *scalar, size_t n);
