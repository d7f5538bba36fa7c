/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cancel TIMES: threads cancelled inside the probed function, whose callers have clean-ups to do:
 * the calls never return, and the clean-ups must be done all the same.
 */
#include <pthread.h>
#include <unistd.h>

#include "target.h"

static unsigned long calls, cleaned;

long linger(int fd);

PROBED long linger(int fd)
{
	char byte;

	__atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
	return opaque(read(fd, &byte, 1));
}

static void clean(void *unused)
{
	(void)unused;
	cleaned++;
}

static void *run(void *fd)
{
	pthread_cleanup_push(clean, NULL);
	linger(*(int *)fd);
	pthread_cleanup_pop(0);
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned long times = target_number(argc, argv, 1, 20);
	int ends[2];

	target_wait("ready");
	if (pipe(ends))
		return 1;
	for (unsigned long i = 0; i < times; i++) {
		pthread_t thread;

		pthread_create(&thread, NULL, run, &ends[0]);
		while (__atomic_load_n(&calls, __ATOMIC_RELAXED) <= i)
			;
		pthread_cancel(thread);
		pthread_join(thread, NULL);
	}
	target_report("linger", (struct ending){.calls = calls, .abandoned = calls});
	target_wait("done");
	return cleaned == times ? 0 : 1;
}
