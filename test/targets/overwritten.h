/* SPDX-License-Identifier: Apache-2.0 */
/* What the functions of the library that is overwritten compute, for itself and who checks it. */
#pragma once

#include "target.h"

static inline __attribute__((always_inline)) long mixed(long value, long seed)
{
	unsigned long sum = (unsigned long)seed;

	for (int i = 0; i < 4; i++)
		sum = (sum ^ (unsigned long)opaque(value + i)) * 0x9e3779b97f4a7c15UL;
	return (long)sum;
}

static inline long of_stays(long value)
{
	return mixed(value, 0x123456789abcdefL);
}

static inline long of_first(long value)
{
	return mixed(value, 0x23456789abcdef1L);
}

static inline long of_second(long value)
{
	return mixed(value, 0x3456789abcdef12L);
}

static inline long of_third(long value)
{
	return mixed(value, 0x456789abcdef123L);
}
