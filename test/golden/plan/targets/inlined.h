/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#define INLINED static inline __attribute__((always_inline))
#define CALLED __attribute__((noinline))

extern volatile int number;

/* Of a header: one function, with a copy in each file. */
INLINED int shared(int x)
{
	number += x;
	return number * 3;
}

int second(int x);
