// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *p)
{
	if (!p) {
		fputs("uprobe_exporter: out of memory\n", stderr);
		abort();
	}
	return p;
}

void *memory_alloc(size_t size)
{
	return checked(calloc(1, size ? size : 1));
}

void *memory_grow(void *p, size_t count, size_t size)
{
	return checked(reallocarray(p, count ? count : 1, size ? size : 1));
}

char *memory_strdup(const char *text)
{
	return checked(strdup(text));
}

char *memory_vprintf(const char *format, va_list args)
{
	char *text = NULL;

	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	return checked(text);
}

char *memory_printf(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = memory_vprintf(format, args);
	va_end(args);
	return text;
}

void memory_give_back(void)
{
	malloc_trim(0);
}
