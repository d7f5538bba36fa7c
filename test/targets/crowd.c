/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crowd N: N threads that are inside `gather` all at once. `inside` is said when they are; at the
 * next line they return.
 */
#include <pthread.h>

#include "target.h"

static pthread_barrier_t all_in, all_out;

long gather(long value);

PROBED long gather(long value)
{
	pthread_barrier_wait(&all_in);
	pthread_barrier_wait(&all_out);
	return opaque(value);
}

static void *run(void *unused)
{
	gather(0);
	return unused;
}

int main(int argc, char **argv)
{
	unsigned long n = target_number(argc, argv, 1, 2000);
	pthread_t threads[n];
	pthread_attr_t small;

	pthread_barrier_init(&all_in, NULL, (unsigned)n + 1);
	pthread_barrier_init(&all_out, NULL, (unsigned)n + 1);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	target_wait("ready");
	for (unsigned long i = 0; i < n; i++)
		if (pthread_create(&threads[i], &small, run, NULL))
			return 1;
	pthread_barrier_wait(&all_in);
	target_wait("inside");
	pthread_barrier_wait(&all_out);
	for (unsigned long i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	target_report("gather", (struct ending){.calls = n, .completed = n});
	target_wait("done");
	return 0;
}
