/* SPDX-License-Identifier: Apache-2.0 */
/* The library of hosted.c. */
extern "C" {
long host_each(long times, long (*callback)(long));
long host_fail_third(long value);
}

long host_fail_third(long value)
{
	if (value % 3 == 0)
		throw value;
	return value;
}

/* How often something was caught. */
long host_each(long times, long (*callback)(long))
{
	long caught = 0;

	for (long i = 0; i < times; i++) {
		try {
			callback(i);
		} catch (long) {
			caught++;
		}
	}
	return caught;
}
