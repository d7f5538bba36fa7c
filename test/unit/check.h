/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The smallest harness that serves: a test is a void function in a table, a failed CHECK says
 * where and goes on, main prints "N passed, N failed".
 *
 *     static void adds(void) { CHECK_INT(1 + 1, 2); }
 *     CHECK_MAIN(adds)
 */
#pragma once

#include <stdio.h>
#include <string.h>

static int check_failures;

#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			check_failures++;                                                          \
			printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                     \
		}                                                                                  \
	} while (0)

#define CHECK_INT(actual, expected)                                                                \
	do {                                                                                       \
		long long actual_ = (long long)(actual), expected_ = (long long)(expected);        \
		if (actual_ != expected_) {                                                        \
			check_failures++;                                                          \
			printf("%s:%d: %s is %lld, not %lld\n", __FILE__, __LINE__, #actual,       \
				actual_, expected_);                                               \
		}                                                                                  \
	} while (0)

#define CHECK_STR(actual, expected)                                                                \
	do {                                                                                       \
		const char *actual_ = (actual), *expected_ = (expected);                           \
		if (!actual_ || strcmp(actual_, expected_)) {                                      \
			check_failures++;                                                          \
			printf("%s:%d: %s is \"%s\", not \"%s\"\n", __FILE__, __LINE__, #actual,   \
				actual_ ? actual_ : "(null)", expected_);                          \
		}                                                                                  \
	} while (0)

struct check_test {
	const char *name;
	void (*run)(void);
};

static inline int check_run(const struct check_test *tests, size_t n)
{
	int failed = 0;

	for (size_t i = 0; i < n; i++) {
		int before = check_failures;

		tests[i].run();
		if (check_failures != before) {
			failed++;
			printf("FAILED %s\n", tests[i].name);
		}
	}
	printf("%zu passed, %d failed\n", n - (size_t)failed, failed);
	return failed != 0;
}

#define CHECK_TEST(function) {#function, function}
