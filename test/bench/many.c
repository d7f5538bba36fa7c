// SPDX-License-Identifier: Apache-2.0
/*
 * A program of 1,000 functions, many_000 to many_999: what attaching to many costs is measured on
 * it. It speaks the protocol of test/targets, and calls each function CALLS times: many [CALLS].
 */
#include "test/targets/target.h"

/* clang-format off */
/* Each is unlike the others, so that no linker folds them into one. */
#define ONE(n)                                                                                     \
	PROBED void many_##n(void);                                                                \
	void many_##n(void)                                                                        \
	{                                                                                          \
		opaque(1##n);                                                                      \
	}
#define TEN(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7) X(n##8) X(n##9)
#define TENS(X, n)                                                                                 \
	TEN(X, n##0) TEN(X, n##1) TEN(X, n##2) TEN(X, n##3) TEN(X, n##4)                           \
	TEN(X, n##5) TEN(X, n##6) TEN(X, n##7) TEN(X, n##8) TEN(X, n##9)
#define HUNDREDS(X)                                                                                \
	TENS(X, 0) TENS(X, 1) TENS(X, 2) TENS(X, 3) TENS(X, 4)                                     \
	TENS(X, 5) TENS(X, 6) TENS(X, 7) TENS(X, 8) TENS(X, 9)

HUNDREDS(ONE)
/* clang-format on */

#define ADDRESS(n) many_##n,
static void (*const functions[])(void) = {HUNDREDS(ADDRESS)};

int main(int argc, char **argv)
{
	unsigned long calls = target_number(argc, argv, 1, 1);

	target_wait("ready");
	for (unsigned long i = 0; i < calls; i++)
		for (size_t f = 0; f < sizeof(functions) / sizeof(functions[0]); f++)
			functions[f]();
	target_wait("done");
	return 0;
}
