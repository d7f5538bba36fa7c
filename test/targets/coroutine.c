/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coroutine TIMES: calls that begin on one stack, and go on or end while others run, in this thread
 * or another. A uretprobe would have the kernel take one's returns for the other's, and kill the
 * program.
 *
 * nap: yields once; the coroutine that it is in may go on in another thread.
 * walk: calls itself, yields at the bottom, or not where it runs on the thread's own stack.
 * generate: yields many times; most such coroutines are dropped half way.
 */
#include <pthread.h>

#include "context.h"
#include "target.h"

enum { N_COROUTINES = 8, NAP_NS = 2000000 };

static char stacks[N_COROUTINES + 1][COROUTINE_STACK_BYTES] __attribute__((aligned(4096)));
static struct coroutine coroutines[N_COROUTINES];
static struct ending naps, walks, generators;
static unsigned long naps_ns;

long nap(struct coroutine *c);
long walk(struct coroutine *c, long depth);
long generate(struct coroutine *c);

PROBED long nap(struct coroutine *c)
{
	unsigned long start_ns = now_ns();

	naps.calls++;
	coroutine_yield(c);
	naps.completed++;
	naps_ns += now_ns() - start_ns;
	return opaque(0);
}

PROBED long walk(struct coroutine *c, long depth)
{
	long below = 0;

	walks.calls++;
	if (depth)
		below = walk(c, depth - 1);
	else if (c)
		coroutine_yield(c);
	walks.completed++;
	return opaque(below) + 1;
}

PROBED long generate(struct coroutine *c)
{
	generators.calls++;
	for (int i = 0; i < 3; i++)
		coroutine_yield(c);
	generators.completed++;
	return opaque(0);
}

static void sleep_twice(struct coroutine *c)
{
	nap(c);
	nap(c);
}

static void wander(struct coroutine *c)
{
	long depth = (long)c->data;

	walk(c, depth);
	walk(c, 0);
	walk(NULL, depth);
}

static void produce(struct coroutine *c)
{
	generate(c);
}

static void *resume_all(void *unused)
{
	for (int i = 0; i < N_COROUTINES; i++)
		if (!coroutines[i].is_done)
			coroutine_resume(&coroutines[i]);
	return unused;
}

static void init_all(void (*body)(struct coroutine *c))
{
	for (long i = 0; i < N_COROUTINES; i++)
		coroutine_init(&coroutines[i], stacks[i + 1], body, (void *)(3 * i));
}

static void take_turns(void)
{
	init_all(wander);
	for (int turn = 0; turn < 3; turn++) {
		walk(NULL, 2 + turn);
		resume_all(NULL);
	}
}

/* Every turn in a thread of its own, which ends with calls left standing. */
static void take_turns_in_threads(void)
{
	const struct timespec pause = {.tv_nsec = NAP_NS};

	init_all(sleep_twice);
	for (int turn = 0; turn < 3; turn++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, resume_all, NULL))
			exit(4);
		pthread_join(thread, NULL);
		nanosleep(&pause, NULL);
	}
}

/* One of them comes to its end. */
static void drop_generators(void)
{
	init_all(produce);
	resume_all(NULL);
	resume_all(NULL);
	while (!coroutines[0].is_done)
		coroutine_resume(&coroutines[0]);
}

static void *run(void *data)
{
	unsigned long times = *(unsigned long *)data;

	for (unsigned long i = 0; i < times; i++) {
		take_turns();
		drop_generators();
	}
	take_turns_in_threads();
	return NULL;
}

/* A thread whose stack lies below all others. */
static void run_below(unsigned long *times)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, stacks[0], sizeof(stacks[0]));
	if (pthread_create(&thread, &attributes, run, times))
		exit(4);
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	unsigned long times = target_number(argc, argv, 1, 100);

	target_wait("ready");
	run(&times);
	run_below(&times);
	generators.abandoned = generators.calls - generators.completed;
	target_report("nap", naps);
	target_report("walk", walks);
	target_report("generate", generators);
	printf("#naps %lu\n", naps_ns);
	target_wait("done");
	return 0;
}
