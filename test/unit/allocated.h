/* SPDX-License-Identifier: Apache-2.0 */
/* How many bytes of the heap are in use, for tests that nothing grows; under ASan too. */
#pragma once

#include <malloc.h>
#include <stddef.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

#ifdef __SANITIZE_ADDRESS__
size_t __sanitizer_get_current_allocated_bytes(void);

static inline size_t allocated_bytes(void)
{
	return __sanitizer_get_current_allocated_bytes();
}
#else
static inline size_t allocated_bytes(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}
#endif
