/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An arena: allocations that live and die together. A configuration and a plan own one each.
 * All memory is zeroed, aligned for any type, and released by arena_free() alone.
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>

#include "base/cleanup.h"

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *a);
DEFINE_CLEANUP(arena_free, struct arena *)

void *arena_alloc(struct arena *a, size_t size);
void *arena_array(struct arena *a, size_t count, size_t size);
char *arena_strdup(struct arena *a, const char *text);
char *arena_strndup(struct arena *a, const char *text, size_t n);
char *arena_printf(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Bytes handed out so far; for memory accounting and tests. */
size_t arena_size(const struct arena *a);
