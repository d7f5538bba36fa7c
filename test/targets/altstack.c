/* SPDX-License-Identifier: Apache-2.0 */
/*
 * altstack TIMES [disarm]: signals arrive inside the probed function and outside; their handlers
 * call it too, on a stack of their own, and return or leap out. Some threads have that stack below
 * the one they run on, some above. Linux takes the calls of a thread for returned when it sees it
 * further up, so that a uretprobe kills the program.
 *
 * With `disarm` the kernel forgets the handlers' stack while one of them runs.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>

#include "target.h"

enum { STACK_BYTES = 65536, N_THREADS = 4 };
enum { FORGET = (int)(1U << 31) }; /* SS_AUTODISARM */

/* What a call, or a handler, is to do. */
enum deed { PLAIN, RAISE, RAISE_NESTED, RECURSE, LEAP_INSIDE, LEAP };

static char stacks[2 * N_THREADS][STACK_BYTES] __attribute__((aligned(4096)));
static pthread_barrier_t stages;
static unsigned long times;
static bool forgets;

static __thread struct ending ending;
static __thread sigjmp_buf back, back_inside;
static __thread enum deed deed_of_handler;

long struck(long deed);

PROBED long struck(long deed)
{
	long below = 0;

	ending.calls++;
	if (deed == RAISE)
		raise(SIGUSR1);
	if (deed == RAISE_NESTED)
		raise(SIGUSR2);
	if (deed == RECURSE)
		below = struck(PLAIN);
	if (deed == LEAP)
		siglongjmp(back, 1);
	if (deed == LEAP_INSIDE)
		siglongjmp(back_inside, 1);
	ending.completed++;
	return opaque(below) + 1;
}

/* Further down the stack. */
static __attribute__((noinline)) long lower(long deed)
{
	volatile char room[512] = {0};

	return struck(deed) + room[deed];
}

static void handler(int number)
{
	if (number == SIGUSR2)
		struck(PLAIN);
	else if (deed_of_handler == LEAP_INSIDE && !sigsetjmp(back_inside, 1))
		lower(LEAP_INSIDE);
	else
		struck(deed_of_handler == LEAP_INSIDE ? PLAIN : deed_of_handler);
}

static void arm(char *stack)
{
	stack_t own = {.ss_sp = stack, .ss_size = STACK_BYTES, .ss_flags = forgets ? FORGET : 0};

	if (sigaltstack(&own, NULL))
		exit(4);
}

/* A signal inside a call, and one outside. */
static void interrupt(enum deed deed, char *stack)
{
	deed_of_handler = deed;
	if (!sigsetjmp(back, 1))
		lower(RAISE);
	arm(stack);
	struck(PLAIN);
	if (!sigsetjmp(back, 1))
		raise(SIGUSR1);
	arm(stack);
	lower(RECURSE);
}

struct thread {
	pthread_t id;
	char *handlers_stack;
	struct ending ending;
};

static void *run(void *data)
{
	struct thread *t = data;

	arm(t->handlers_stack);
	for (unsigned long i = 0; i < times; i++)
		for (enum deed d = PLAIN; d <= LEAP; d++)
			if (d != RAISE)
				interrupt(d, t->handlers_stack);
	t->ending = ending;
	pthread_barrier_wait(&stages);
	pthread_barrier_wait(&stages);
	return NULL;
}

/* Every other thread runs above its handlers' stack, the rest below. */
static void start(struct thread *t, int i)
{
	char *lower_stack = stacks[2 * i], *upper_stack = stacks[2 * i + 1];
	bool is_above = i % 2;
	pthread_attr_t attributes;

	t->handlers_stack = is_above ? lower_stack : upper_stack;
	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, is_above ? upper_stack : lower_stack, STACK_BYTES);
	if (pthread_create(&t->id, &attributes, run, t))
		exit(5);
}

static struct ending sum_of(const struct thread *threads)
{
	struct ending sum = {};

	for (int i = 0; i < N_THREADS; i++) {
		sum.calls += threads[i].ending.calls;
		sum.completed += threads[i].ending.completed;
	}
	sum.abandoned = sum.calls - sum.completed;
	return sum;
}

/* What was left open is to be told before the threads end. */
static void run_threads(void)
{
	struct thread threads[N_THREADS];

	pthread_barrier_init(&stages, NULL, N_THREADS + 1);
	for (int i = 0; i < N_THREADS; i++)
		start(&threads[i], i);
	pthread_barrier_wait(&stages);
	target_report("struck", sum_of(threads));
	target_wait("done");
	pthread_barrier_wait(&stages);
	for (int i = 0; i < N_THREADS; i++)
		pthread_join(threads[i].id, NULL);
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};

	times = target_number(argc, argv, 1, 100);
	forgets = argc > 2;
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR2, &action, NULL);
	target_wait("ready");
	run_threads();
	return 0;
}
