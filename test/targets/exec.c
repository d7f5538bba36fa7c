/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exec TIMES: replaces the program from inside the probed function TIMES times, in turn from the
 * first thread and from another one, whose thread id then becomes the process's. While the other
 * one does so, the first thread is in the function as well.
 */
#include <pthread.h>
#include <unistd.h>

#include "target.h"

static unsigned long done, times;
static pthread_barrier_t both;

long become(long how);

static void replace(void)
{
	char done_text[24], times_text[24];

	snprintf(done_text, sizeof(done_text), "%lu", done + 1);
	snprintf(times_text, sizeof(times_text), "%lu", times);
	execl("/proc/self/exe", "exec", times_text, done_text, (char *)NULL);
	exit(4);
}

/* how: 0 returns, 1 replaces the program, 2 waits for another thread to do so. */
PROBED long become(long how)
{
	if (how == 2) {
		pthread_barrier_wait(&both);
		for (;;)
			pause();
	}
	if (how == 1)
		replace();
	return opaque(how);
}

static void *other(void *unused)
{
	pthread_barrier_wait(&both);
	become(1);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	times = target_number(argc, argv, 1, 10) / 2 * 2;
	done = target_number(argc, argv, 2, 0);
	if (done == 0)
		target_wait("ready");
	become(0);
	if (done < times && done % 2 == 0)
		become(1);
	if (done < times) {
		pthread_barrier_init(&both, NULL, 2);
		pthread_create(&thread, NULL, other, NULL);
		become(2);
	}
	target_report("become", (struct ending){
					.calls = times + 1 + times + times / 2,
					.completed = times + 1,
					.abandoned = times + times / 2,
				});
	target_wait("done");
	return 0;
}
