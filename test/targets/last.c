/* SPDX-License-Identifier: Apache-2.0 */
/*
 * last MICROSECONDS TIMES: calls of `last_for` that take at least so long, by the clock. The report
 * also says how long the longest and all together took, in nanoseconds, as seen from outside.
 */
#include "target.h"

long last_for(unsigned long ns);

PROBED long last_for(unsigned long ns)
{
	unsigned long end = now_ns() + ns;

	while (now_ns() < end)
		;
	return opaque(0);
}

int main(int argc, char **argv)
{
	unsigned long ns = target_number(argc, argv, 1, 3000) * 1000;
	unsigned long times = target_number(argc, argv, 2, 20);
	unsigned long sum = 0, longest = 0;

	target_wait("ready");
	for (unsigned long i = 0; i < times; i++) {
		unsigned long start = now_ns(), took;

		last_for(ns);
		took = now_ns() - start;
		sum += took;
		longest = took > longest ? took : longest;
	}
	target_report("last_for", (struct ending){.calls = times, .completed = times});
	printf("#longest %lu\n#sum %lu\n", longest, sum);
	target_wait("done");
	return 0;
}
