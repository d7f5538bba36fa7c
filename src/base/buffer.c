// SPDX-License-Identifier: Apache-2.0
#include "base/buffer.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/memory.h"

void buffer_deinit(struct buffer *b)
{
	free(b->data);
	*b = (struct buffer){};
}

void buffer_clear(struct buffer *b)
{
	b->size = 0;
	if (b->data)
		b->data[0] = '\0';
}

void buffer_reserve(struct buffer *b, size_t extra)
{
	size_t wanted = b->size + extra + 1;

	if (wanted <= b->capacity)
		return;
	if (wanted < b->capacity * 2)
		wanted = b->capacity * 2;
	if (wanted < 64)
		wanted = 64;
	b->data = memory_grow(b->data, wanted, 1);
	b->capacity = wanted;
}

void buffer_append(struct buffer *b, const void *bytes, size_t n)
{
	buffer_reserve(b, n);
	if (n)
		memcpy(b->data + b->size, bytes, n);
	b->size += n;
	b->data[b->size] = '\0';
}

void buffer_printf(struct buffer *b, const char *format, ...)
{
	_cleanup_(freep) char *text = NULL;
	va_list args;

	va_start(args, format);
	text = memory_vprintf(format, args);
	va_end(args);
	buffer_puts(b, text);
}

const char *buffer_text(const struct buffer *b)
{
	return b->data ? b->data : "";
}

char *buffer_take(struct buffer *b)
{
	char *text = b->data ? b->data : memory_strdup("");

	*b = (struct buffer){};
	return text;
}
