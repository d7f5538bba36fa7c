/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every target of the end-to-end tests does: it says `ready`, waits for a line, makes calls
 * whose number it knows, says for each function how they ended, says `done`, waits for a line and
 * exits. So a test never has to sleep, and compares against what truly happened.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* A function to be probed: one copy, a real call, a frame of its own. */
#ifdef __clang__
#define PROBED __attribute__((noinline, used))
#else
#define PROBED __attribute__((noipa, used))
#endif

/* The kernel keeps so many returns for each thread; those of calls nested deeper are dropped. */
enum { KERNEL_DEPTH = 64 };

/* How the calls of one function ended. */
struct ending {
	unsigned long calls, completed;
	unsigned long missed;	 /* nested too deep: the kernel drops the return */
	unsigned long abandoned; /* can't return any more */
};

/* A register that a function must save: what its first instruction then does. */
#ifdef __x86_64__
#define SAVED_REGISTER "rbx"
#else
#define SAVED_REGISTER "x19"
#endif

/* Keeps the compiler from proving anything about value, and its caller from being a function that
 * needs no stack. */
static inline __attribute__((always_inline)) long opaque(long value)
{
	__asm__ volatile("" : "+r"(value) : : "memory", SAVED_REGISTER);
	return value;
}

static inline void target_wait(const char *state)
{
	char line[16];

	printf("%s\n", state);
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		exit(3);
}

static inline void target_report(const char *function, struct ending e)
{
	printf("%s %lu %lu %lu %lu\n", function, e.calls, e.completed, e.missed, e.abandoned);
}

/* For calls of which some were nested too deep and then left: either reason for their never having
 * returned is true. */
static inline void target_report_lost(
	const char *function, unsigned long calls, unsigned long completed)
{
	printf("%s %lu %lu - %lu\n", function, calls, completed, calls - completed);
}

/* The number in argv[i], or fallback where it is absent. */
static inline unsigned long target_number(int argc, char **argv, int i, unsigned long fallback)
{
	return i < argc ? strtoul(argv[i], NULL, 10) : fallback;
}

static inline unsigned long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (unsigned long)t.tv_sec * 1000000000 + (unsigned long)t.tv_nsec;
}
