// SPDX-License-Identifier: Apache-2.0
#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

const struct unit UNIT_RATIO = {3, ""}, UNIT_NS = {0, " ns"}, UNIT_MS = {1, " ms"},
		  UNIT_S = {3, " s"};

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct spread spread_of(double *values, size_t n)
{
	qsort(values, n, sizeof(*values), compare);
	return (struct spread){values[n / 4], values[n / 2], values[n * 3 / 4]};
}

static void print(const char *verdict, const char *what, struct spread s, struct unit u)
{
	printf("%s\t%s\t%.*f%s\t%.*f to %.*f", verdict, what, u.digits, s.median, u.name, u.digits,
		s.low, u.digits, s.high);
}

void report_figure(const char *what, struct spread s, struct unit unit)
{
	print("-", what, s, unit);
	printf("\t\n");
}

int report_promise(const char *what, struct spread s, struct unit unit, double limit)
{
	int broken = !(s.median <= limit);

	print(broken ? "BROKEN" : "kept", what, s, unit);
	printf("\tat most %g%s\n", limit, unit.name);
	return broken;
}

void report_skip(const char *what, const char *why)
{
	printf("SKIP\t%s\t%s\t\t\n", what, why);
}

static double read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

double now_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

double spent_ns(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

struct bounds default_bounds(void)
{
	static uint64_t ns[N_DEFAULT_BOUNDS];
	uint64_t decade = 1000;

	for (size_t i = 0; i < N_DEFAULT_BOUNDS; i++) {
		ns[i] = decade * (const uint64_t[]){1, 2, 5}[i % 3];
		if (i % 3 == 2)
			decade *= 10;
	}
	return (struct bounds){ns, N_DEFAULT_BOUNDS};
}

void fail(const char *what, const char *why)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, why);
	exit(1);
}
