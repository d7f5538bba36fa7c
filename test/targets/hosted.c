/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hosted TIMES: a C program that lends a function to a C++ library. The library calls it back, it
 * calls the library again, which throws in every third call and catches what comes: through a
 * function of a program that neither throws nor catches.
 */
#include "target.h"

long host_each(long times, long (*callback)(long));
long host_fail_third(long value);

long called_back(long value);

PROBED long called_back(long value)
{
	return opaque(host_fail_third(value)) + 1;
}

int main(int argc, char **argv)
{
	unsigned long times = target_number(argc, argv, 1, 300), caught;

	target_wait("ready");
	caught = (unsigned long)host_each((long)times, called_back);
	target_report("called_back", (struct ending){times, times - caught, 0, caught});
	target_wait("done");
	return caught != (times + 2) / 3;
}
