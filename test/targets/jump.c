/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jump TIMES: calls that longjmp takes the way back from, mixed with calls that return, so that
 * stale starts and new calls meet at the same stack address, above it and below it.
 */
#include <setjmp.h>

#include "target.h"

static jmp_buf back;
static struct ending ending;

long leap(long depth, long jumps);
long outer(long depth);

/* Calls itself depth times; the innermost call leaps out of all of them, or returns. */
PROBED long leap(long depth, long jumps)
{
	long below;

	ending.calls++;
	if (depth <= 1) {
		if (jumps)
			longjmp(back, 1);
		below = 0;
	} else {
		below = leap(depth - 1, jumps);
	}
	ending.completed++;
	return opaque(below) + 1;
}

/* The same some frames further down the stack. */
PROBED static long lower(long depth, long jumps, long frames)
{
	volatile char room[64] = {0};

	if (frames)
		return lower(depth, jumps, frames - 1) + room[frames & 63];
	return leap(depth, jumps) + room[0];
}

/* Jumps back into a frame that is itself probed, and then returns. */
PROBED long outer(long depth)
{
	if (!setjmp(back))
		leap(depth, 1);
	return opaque(depth);
}

static void one_round(long i)
{
	if (!setjmp(back))
		leap(1, 1); /* leaves a start behind ... */
	leap(1, 0);         /* ... at the very place where this call begins */
	if (!setjmp(back))
		leap(5, 1);
	leap(3, 0);
	if (!setjmp(back))
		lower(2, 1, 8); /* far below: later calls begin above it */
	leap(2, 0);
	if (!setjmp(back))
		leap(1, 1);
	lower(4, 0, i & 7); /* begins below the start that was left behind */
}

int main(int argc, char **argv)
{
	unsigned long times = target_number(argc, argv, 1, 1000);

	target_wait("ready");
	for (unsigned long i = 0; i < times; i++) {
		one_round((long)i);
		outer(3);
	}
	ending.abandoned = ending.calls - ending.completed;
	target_report("leap", ending);
	target_report("outer", (struct ending){.calls = times, .completed = times});
	target_wait("done");
	return 0;
}
