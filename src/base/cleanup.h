/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ownership that one function can show.
 *
 * An owning local carries _cleanup_(x_freep) and is released on every way out; TAKE_PTR() hands
 * the value on and leaves NULL behind. DEFINE_CLEANUP(x_free, struct x *) makes x_freep() from
 * a release function `void x_free(struct x *)` that accepts NULL.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define _cleanup_(f) __attribute__((cleanup(f)))

#define TAKE_PTR(p)                       \
	({                                \
		__auto_type taken_ = (p); \
		(p) = NULL;               \
		taken_;                   \
	})

#define TAKE_FD(fd)                \
	({                         \
		int taken_ = (fd); \
		(fd) = -1;         \
		taken_;            \
	})

#define DEFINE_CLEANUP(release, type)          \
	static inline void release##p(type *p) \
	{                                      \
		if (*p)                        \
			release(*p);           \
	}

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static inline void freep(void *p)
{
	free(*(void **)p);
}

static inline void closep(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

DEFINE_CLEANUP(fclose, FILE *)
