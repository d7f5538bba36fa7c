/* SPDX-License-Identifier: Apache-2.0 */
/*
 * weave TIMES: coroutines take turns, and C++ exceptions pass through calls that are under way in
 * them: in each third coroutine both probed functions are left by one.
 */
#include "context.h"
#include "target.h"

enum { N_COROUTINES = 6 };

extern "C" {
long raise_third(struct coroutine *c);
long pass(struct coroutine *c);
}

static char stacks[N_COROUTINES][COROUTINE_STACK_BYTES] __attribute__((aligned(4096)));
static struct coroutine coroutines[N_COROUTINES];
static unsigned long calls, caught;

PROBED long raise_third(struct coroutine *c)
{
	long value = (long)c->data;

	calls++;
	coroutine_yield(c);
	if (value % 3 == 0)
		throw value;
	return opaque(value);
}

PROBED long pass(struct coroutine *c)
{
	return opaque(raise_third(c)) + 1;
}

static void body(struct coroutine *c)
{
	try {
		pass(c);
	} catch (long) {
		caught++;
	}
}

int main(int argc, char **argv)
{
	unsigned long times = target_number(argc, argv, 1, 100);

	target_wait("ready");
	for (unsigned long i = 0; i < times; i++) {
		for (long k = 0; k < N_COROUTINES; k++) {
			coroutine_init(&coroutines[k], stacks[k], body, (void *)k);
			coroutine_resume(&coroutines[k]);
		}
		for (long k = 0; k < N_COROUTINES; k++)
			coroutine_resume(&coroutines[k]);
	}
	target_report("raise_third", {calls, calls - caught, 0, caught});
	target_report("pass", {calls, calls - caught, 0, caught});
	target_wait("done");
	return 0;
}
