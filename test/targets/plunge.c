/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plunge TIMES: threads that nest calls deeper than the kernel keeps returns, and leave all by one
 * longjmp. Linux looks at its limit before it drops what a longjmp made void, so a thread that has
 * done so is never told of a return again: these calls are counted, and lost.
 */
#include <pthread.h>
#include <setjmp.h>

#include "target.h"

enum { DEPTH = 100 };

long plunge(long depth, jmp_buf *back);

PROBED long plunge(long depth, jmp_buf *back)
{
	if (depth <= 1 && back)
		longjmp(*back, 1);
	return depth <= 1 ? opaque(1) : opaque(plunge(depth - 1, back)) + 1;
}

static void *run(void *unused)
{
	jmp_buf back;

	if (!setjmp(back))
		plunge(DEPTH, &back);
	return unused;
}

int main(int argc, char **argv)
{
	unsigned long times = target_number(argc, argv, 1, 50);

	target_wait("ready");
	for (unsigned long i = 0; i < times; i++) {
		pthread_t thread;

		pthread_create(&thread, NULL, run, NULL);
		pthread_join(thread, NULL);
	}
	plunge(DEPTH, NULL);
	target_report_lost("plunge", DEPTH * (times + 1), KERNEL_DEPTH);
	target_wait("done");
	return 0;
}
