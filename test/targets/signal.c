/* SPDX-License-Identifier: Apache-2.0 */
/*
 * signal TIMES: a signal arrives inside the probed function, whose handler calls it again on the
 * same stack and returns, or leaps out of both calls.
 */
#include <setjmp.h>
#include <signal.h>

#include "target.h"

enum { PLAIN, RAISE, RAISE_AND_LEAP };

static sigjmp_buf back;
static volatile sig_atomic_t leaps;
static struct ending ending;

long interrupted(long how);

PROBED long interrupted(long how)
{
	ending.calls++;
	if (how != PLAIN) {
		leaps = how == RAISE_AND_LEAP;
		raise(SIGUSR1);
	}
	ending.completed++;
	return opaque(how);
}

static void handler(int number)
{
	(void)number;
	interrupted(PLAIN);
	if (leaps)
		siglongjmp(back, 1);
}

static void one_round(void)
{
	interrupted(RAISE);
	if (!sigsetjmp(back, 1))
		interrupted(RAISE_AND_LEAP);
	interrupted(PLAIN);
}

int main(int argc, char **argv)
{
	unsigned long times = target_number(argc, argv, 1, 200);
	struct sigaction action = {.sa_handler = handler};

	sigaction(SIGUSR1, &action, NULL);
	target_wait("ready");
	for (unsigned long i = 0; i < times; i++)
		one_round();
	ending.abandoned = ending.calls - ending.completed;
	target_report("interrupted", ending);
	target_wait("done");
	return 0;
}
