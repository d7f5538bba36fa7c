/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the bench programs share: repeated measurements, and one line of result for each figure.
 *
 * A line has tab-separated fields: VERDICT WHAT FIGURE SPREAD PROMISE. VERDICT is kept, BROKEN or
 * SKIP (with the reason instead of a figure), or `-` for a figure of which nothing is promised.
 * test/bench/run makes the table from them.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "config/config.h"

/* The middle half of repeated measurements. */
struct spread {
	double low, median, high;
};

/* Sorts values; n > 0. */
struct spread spread_of(double *values, size_t n);

/* A figure: how many digits stand behind the point, and its unit (" ms", or "" for a ratio). */
struct unit {
	int digits;
	const char *name;
};

extern const struct unit UNIT_RATIO, UNIT_NS, UNIT_MS, UNIT_S;

/* Prints a figure of which nothing is promised. */
void report_figure(const char *what, struct spread s, struct unit unit);

/* Prints a figure whose median must be at most limit; returns 1 when it is not, else 0. */
int report_promise(const char *what, struct spread s, struct unit unit, double limit);

/* Says that a promise can't be looked at here, and why. */
void report_skip(const char *what, const char *why);

/* CLOCK_MONOTONIC */
double now_ns(void);

/* Time that this thread has spent on a CPU: what work takes on a machine that has nothing else to
 * do, also where it has. */
double spent_ns(void);

/* The default bounds of durations: 1-2-5 from 1 us to 10 s. */
enum { N_DEFAULT_BOUNDS = 22 };
struct bounds default_bounds(void);

/* Ends the program with what went wrong: there is no result then. */
void fail(const char *what, const char *why) __attribute__((noreturn));
