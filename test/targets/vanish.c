/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vanish TIMES: threads that end inside the probed function, two calls deep, after some calls
 * that return; thread ids and stacks are used again by the next thread.
 */
#include <pthread.h>

#include "target.h"

static struct ending ending;

long disappear(long depth, long ends);

PROBED long disappear(long depth, long ends)
{
	long below = 0;

	ending.calls++;
	if (depth > 1)
		below = disappear(depth - 1, ends);
	else if (ends)
		pthread_exit(NULL);
	ending.completed++;
	return opaque(below) + 1;
}

static void *run(void *unused)
{
	disappear(3, 0);
	disappear(2, 1);
	return unused;
}

int main(int argc, char **argv)
{
	unsigned long times = target_number(argc, argv, 1, 200);

	target_wait("ready");
	for (unsigned long i = 0; i < times; i++) {
		pthread_t thread;

		pthread_create(&thread, NULL, run, NULL);
		pthread_join(thread, NULL);
	}
	ending.abandoned = ending.calls - ending.completed;
	target_report("disappear", ending);
	target_wait("done");
	return 0;
}
