/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocation that does not fail: when memory is gone, a line on standard error and abort().
 * See error.h for why. Sizes from untrusted input must be bounded before they come here.
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>

void *memory_alloc(size_t size);                       /* zeroed */
void *memory_grow(void *p, size_t count, size_t size); /* realloc(p, count * size), checked */
char *memory_strdup(const char *text);
char *memory_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *memory_vprintf(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/* Returns to the kernel what was freed: a plan takes many times what it leaves behind. */
void memory_give_back(void);
