/* SPDX-License-Identifier: Apache-2.0 */
/*
 * load PER_SECOND MICROSECONDS: calls `work` and `more` at that rate (0: as fast as it can) and
 * `idle` never, until its second line arrives. Its report says how often. `more` takes at least
 * MICROSECONDS.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "target.h"

static atomic_bool stop;
static unsigned long per_second, more_ns;

long work(long value);
long more(long value);
long idle(long value);

PROBED long work(long value)
{
	return opaque(value) + 1;
}

PROBED long more(long value)
{
	unsigned long end = more_ns ? now_ns() + more_ns : 0;

	while (end && now_ns() < end)
		;
	return opaque(value) + 2;
}

PROBED long idle(long value)
{
	return opaque(value) + 3;
}

static void advance(struct timespec *t, unsigned long ns)
{
	t->tv_nsec += (long)ns;
	while (t->tv_nsec >= 1000000000) {
		t->tv_nsec -= 1000000000;
		t->tv_sec++;
	}
}

static void *run(void *calls)
{
	struct timespec next;

	clock_gettime(CLOCK_MONOTONIC, &next);
	while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
		more(work(0));
		++*(unsigned long *)calls;
		if (!per_second)
			continue;
		advance(&next, 1000000000 / per_second);
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned long calls = 0;
	pthread_t thread;

	per_second = target_number(argc, argv, 1, 1000);
	more_ns = target_number(argc, argv, 2, 0) * 1000;
	target_wait("ready");
	pthread_create(&thread, NULL, run, &calls);
	target_wait("running");
	atomic_store(&stop, 1);
	pthread_join(thread, NULL);
	target_report("work", (struct ending){.calls = calls, .completed = calls});
	target_report("more", (struct ending){.calls = calls, .completed = calls});
	target_report("idle", (struct ending){0});
	target_wait("done");
	return 0;
}
