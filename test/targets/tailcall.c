/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tailcall TIMES: `first` jumps to `second`, and `countdown` to itself: several probed calls
 * share one return address. All of them return at the one ret.
 */
#include "target.h"

enum { STEPS = 10 };

long first(long value);
long second(long value);
long countdown(long left);
long stairs(long left);

PROBED long second(long value)
{
	return opaque(value) + 1;
}

PROBED long first(long value)
{
	return second(opaque(value));
}

/* A jump to its own first instruction, through another function, so that each step is a call. */
PROBED long stairs(long left)
{
	return countdown(opaque(left));
}

PROBED long countdown(long left)
{
	return left > 1 ? stairs(opaque(left) - 1) : opaque(left);
}

int main(int argc, char **argv)
{
	unsigned long times = target_number(argc, argv, 1, 1000);

	target_wait("ready");
	for (unsigned long i = 0; i < times; i++) {
		first((long)i);
		countdown(STEPS);
	}
	target_report("first", (struct ending){.calls = times, .completed = times});
	target_report("second", (struct ending){.calls = times, .completed = times});
	target_report(
		"countdown", (struct ending){.calls = STEPS * times, .completed = STEPS * times});
	target_report("stairs",
		(struct ending){.calls = (STEPS - 1) * times, .completed = (STEPS - 1) * times});
	target_wait("done");
	return 0;
}
