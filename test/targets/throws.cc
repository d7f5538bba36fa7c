/* SPDX-License-Identifier: Apache-2.0 */
/*
 * throws TIMES [EVERY [CHOICES]]: C++ exceptions that pass through probed functions. A return
 * address that the kernel has replaced would end the program here.
 *
 * `pass` is called TIMES times and calls `raise_some`, which throws in every third call, or every
 * EVERYth; both are left by the exception then. `choose`, called as often or CHOICES times, ends in
 * as many ways as a compiler makes: a table of jumps, several returns, tail calls on and without a
 * condition. `leaf` calls nothing.
 */
#include "target.h"

extern "C" {
long leaf(long value);
long raise_some(long value);
long pass(long value);
long choose(long value);
}

static long every;

PROBED long leaf(long value)
{
	__asm__ volatile("" : "+r"(value));
	return value + 1;
}

PROBED long raise_some(long value)
{
	if (value % every == 0)
		throw value;
	return opaque(value);
}

PROBED long pass(long value)
{
	return opaque(raise_some(value)) + 1;
}

PROBED long choose(long value)
{
	switch (value % 8) {
	case 0:
		return opaque(leaf(value)) + 1;
	case 1:
		return leaf(value);
	case 2:
		return 7;
	case 3:
		return opaque(leaf(value)) * leaf(value + 1);
	case 4:
		return opaque(value) ^ leaf(value);
	case 5:
		return value < 1000 ? leaf(3) : value;
	default:
		return leaf(value + 3);
	}
}

static unsigned long caught;

static long attempt(long value)
{
	try {
		return pass(value);
	} catch (long) {
		caught++;
		return 0;
	}
}

int main(int argc, char **argv)
{
	unsigned long times = target_number(argc, argv, 1, 300), leaves = 0;
	unsigned long choices = target_number(argc, argv, 3, times);
	long sum = 0;

	every = (long)target_number(argc, argv, 2, 3);
	target_wait("ready");
	for (unsigned long i = 0; i < times; i++)
		sum += attempt((long)i);
	for (unsigned long i = 0; i < choices; i++) {
		sum += choose((long)i);
		leaves += i % 8 == 3 ? 2 : i % 8 == 2 || (i % 8 == 5 && i >= 1000) ? 0 : 1;
	}
	target_report("raise_some", {times, times - caught, 0, caught});
	target_report("pass", {times, times - caught, 0, caught});
	target_report("choose", {choices, choices, 0, 0});
	target_report("leaf", {leaves, leaves, 0, 0});
	target_wait("done");
	return sum == 42;
}
