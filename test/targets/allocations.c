/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allocations CALLS: memory of all sizes from the C library, and some that no machine has. Reports
 * lines of WHAT NUMBER: `calls`, `failed`, `bytes` asked for, and `le_N`, the calls for at most N
 * bytes, N being 16, 64, 256 and so on; and `callocs` and `elements`, what calloc was asked for.
 */
#include <stdint.h>

#include "target.h"

enum { N_BOUNDS = 12, LOWEST = 16, LARGE = 1 << 20 };

static unsigned long n_calls, n_failed, n_bytes, at_most[N_BOUNDS];
static unsigned long n_callocs, n_elements;

static void note(size_t size, const void *memory)
{
	size_t bound = LOWEST;

	n_calls++;
	n_failed += !memory;
	n_bytes += size;
	for (int i = 0; i < N_BOUNDS; i++, bound *= 4)
		at_most[i] += size <= bound;
}

static void allocate(size_t size)
{
	void *memory = malloc((size_t)opaque((long)size));

	note(size, memory);
	free(memory);
}

static void allocate_cleared(size_t elements)
{
	void *memory = calloc(elements, sizeof(long));

	n_callocs++;
	n_elements += elements;
	free((void *)opaque((long)memory)); /* the compiler would leave out what nobody looks at */
}

static void report(void)
{
	unsigned long bound = LOWEST;

	printf("calls %lu\nfailed %lu\nbytes %lu\n", n_calls, n_failed, n_bytes);
	printf("callocs %lu\nelements %lu\n", n_callocs, n_elements);
	for (int i = 0; i < N_BOUNDS; i++, bound *= 4)
		printf("le_%lu %lu\n", bound, at_most[i]);
}

int main(int argc, char **argv)
{
	static char in[64], out[4096];
	unsigned long calls = target_number(argc, argv, 1, 10000);

	/* Nobody else's calls: no buffers. */
	setvbuf(stdin, in, _IOLBF, sizeof(in));
	setvbuf(stdout, out, _IOLBF, sizeof(out));
	target_wait("ready");
	for (unsigned long i = 0; i < calls; i++)
		allocate(i * i % LARGE);
	for (unsigned long i = 0; i < calls / 1000; i++)
		allocate((size_t)1 << 48);
	for (unsigned long i = 0; i < calls / 10; i++)
		allocate_cleared(i % 100);
	report();
	target_wait("done");
	return 0;
}
