// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

enum { NS_IN_S = 1000000000 };

uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_IN_S + (uint64_t)now.tv_nsec;
}

uint64_t clock_ms(void)
{
	return clock_ns() / 1000000;
}

struct timespec clock_timespec(uint64_t ns)
{
	return (struct timespec){.tv_sec = (time_t)(ns / NS_IN_S), .tv_nsec = (long)(ns % NS_IN_S)};
}
