// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <time.h>

uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t clock_ms(void)
{
	return clock_ns() / 1000000;
}
