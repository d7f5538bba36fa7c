/* SPDX-License-Identifier: Apache-2.0 */
/*
 * altstack TIMES: a signal arrives inside the probed function; its handler calls that function too,
 * on a stack of its own that lies above the thread's. Linux then takes the thread's calls for
 * returned, and a uretprobe kills the program.
 */
#include <pthread.h>
#include <signal.h>

#include "target.h"

enum { STACK_BYTES = 65536 };

static struct {
	char below[STACK_BYTES]; /* the thread's */
	char above[STACK_BYTES]; /* the handler's */
} stacks __attribute__((aligned(4096)));
static unsigned long calls, times;

long struck(long raises);

PROBED long struck(long raises)
{
	calls++;
	if (raises)
		raise(SIGUSR1);
	return opaque(raises);
}

static void handler(int number)
{
	(void)number;
	struck(0);
}

static void *run(void *unused)
{
	stack_t own = {.ss_sp = stacks.above, .ss_size = STACK_BYTES};

	sigaltstack(&own, NULL);
	for (unsigned long i = 0; i < times; i++)
		struck(1);
	return unused;
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
	pthread_attr_t attributes;
	pthread_t thread;

	times = target_number(argc, argv, 1, 100);
	sigaction(SIGUSR1, &action, NULL);
	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, stacks.below, STACK_BYTES);
	target_wait("ready");
	if (pthread_create(&thread, &attributes, run, NULL))
		return 1;
	pthread_join(thread, NULL);
	target_report("struck", (struct ending){.calls = calls});
	target_wait("done");
	return 0;
}
