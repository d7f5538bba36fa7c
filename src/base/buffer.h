/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A growing string. {} is a valid empty one. data is NUL-terminated once anything was added;
 * buffer_text() is never NULL. buffer_clear() keeps the memory for the next use.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/cleanup.h"

struct buffer {
	char *data;
	size_t size, capacity;
};

void buffer_deinit(struct buffer *b);
void buffer_clear(struct buffer *b);
void buffer_reserve(struct buffer *b, size_t extra);
void buffer_append(struct buffer *b, const void *bytes, size_t n);
void buffer_printf(struct buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *buffer_text(const struct buffer *b);
char *buffer_take(struct buffer *b); /* the text, owned by the caller; b is empty again */

static inline void buffer_puts(struct buffer *b, const char *text)
{
	buffer_append(b, text, strlen(text));
}

static inline void buffer_putc(struct buffer *b, char c)
{
	buffer_append(b, &c, 1);
}
