/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recurse DEPTH TIMES: TIMES chains of DEPTH nested calls.
 */
#include "target.h"

long descend(long depth);

PROBED long descend(long depth)
{
	long below = depth > 1 ? descend(depth - 1) : 0;

	return opaque(below) + 1;
}

int main(int argc, char **argv)
{
	unsigned long depth = target_number(argc, argv, 1, 40);
	unsigned long times = target_number(argc, argv, 2, 1000);
	unsigned long kept = depth < KERNEL_DEPTH ? depth : KERNEL_DEPTH;

	target_wait("ready");
	for (unsigned long i = 0; i < times; i++)
		if (descend((long)depth) != (long)depth)
			return 1;
	target_report("descend", (struct ending){
					 .calls = depth * times,
					 .completed = kept * times,
					 .missed = (depth - kept) * times,
				 });
	target_wait("done");
	return 0;
}
