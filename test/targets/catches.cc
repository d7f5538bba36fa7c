/* SPDX-License-Identifier: Apache-2.0 */
/*
 * catches TIMES: C++ exceptions that end inside probed functions, or come by on the way. Control
 * comes in to all of them at a landing pad, which compilers put into a part of the function that
 * lies elsewhere; some go on from there and return, others never do.
 */
#include "target.h"

extern "C" {
long raise_third(long value);
long guarded(long value);
long attempt(long value);
long rethrow(long value);
long translate(long value);
long twice(long value);
}

static unsigned long n_guards, n_rethrown;

struct guard {
	~guard();
};

__attribute__((noinline)) guard::~guard()
{
	n_guards++;
}

PROBED long raise_third(long value)
{
	if (value % 3 == 0)
		throw value;
	return opaque(value);
}

/* Left by every exception, with something to clean up first. */
PROBED long guarded(long value)
{
	guard g;

	return opaque(raise_third(value)) + 1;
}

/* Returns whatever happens. */
PROBED long attempt(long value)
{
	try {
		return guarded(value);
	} catch (long thrown) {
		return opaque(thrown);
	}
}

/* Catches, and throws on. */
PROBED long rethrow(long value)
{
	try {
		return guarded(value);
	} catch (long) {
		n_rethrown++;
		throw;
	}
}

/* Throws another one in its place, every second time. */
PROBED long translate(long value)
{
	try {
		return rethrow(value);
	} catch (long thrown) {
		if (thrown % 2)
			throw 'x';
		return attempt(thrown + 1);
	}
}

/* An exception inside the handling of one. */
PROBED long twice(long value)
{
	try {
		return translate(value);
	} catch (char) {
		try {
			return rethrow(value);
		} catch (...) {
			return opaque(value);
		}
	}
}

static unsigned long third_of(unsigned long n)
{
	return (n + 2) / 3;
}

int main(int argc, char **argv)
{
	unsigned long times = target_number(argc, argv, 1, 600), thrown = 0, odd = 0, raised;
	long sum = 0;

	target_wait("ready");
	for (unsigned long i = 0; i < times; i++) {
		sum += twice((long)i);
		thrown += i % 3 == 0;
		odd += i % 6 == 3;
	}
	for (unsigned long i = 0; i < times; i++)
		sum += attempt((long)i);
	/* attempt is called for what translate handled, with a number that isn't thrown. */
	raised = thrown + odd + third_of(times);
	target_report("twice", {times, times, 0, 0});
	target_report("translate", {times, times - odd, 0, odd});
	target_report("rethrow", {times + odd, times - thrown, 0, n_rethrown});
	target_report("attempt", {times + thrown - odd, times + thrown - odd, 0, 0});
	target_report("guarded", {n_guards, n_guards - raised, 0, raised});
	target_report("raise_third", {n_guards, n_guards - raised, 0, raised});
	target_wait("done");
	return sum == 42;
}
