/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fibers TIMES: coroutines of boost.context, which switch stacks by assembler of their own: they
 * take turns in the middle of calls, throw to whom they were resumed by, and are dropped, which
 * unwinds their stacks.
 */
#include <boost/context/fiber.hpp>
#include <stdexcept>
#include <utility>

#include "target.h"

extern "C" {
long rest(long value);
long climb(long depth);
}

namespace context = boost::context;

static context::fiber *back;
static unsigned long rests, rests_left, climbs, climbs_left, destroyed;

struct counted {
	~counted()
	{
		destroyed++;
	}
};

/* Goes on with another stack before it returns. */
PROBED long rest(long value)
{
	counted here;
	context::fiber *mine = back;

	rests++;
	rests_left++;
	*mine = std::move(*mine).resume();
	back = mine;
	if (value % 5 == 4)
		throw std::runtime_error("tired");
	rests_left--;
	return opaque(value);
}

PROBED long climb(long depth)
{
	long height;

	climbs++;
	climbs_left++;
	height = depth ? opaque(climb(depth - 1)) + 1 : rest(0);
	climbs_left--;
	return height;
}

static context::fiber body(context::fiber &&caller, long i, long *out)
{
	back = &caller;
	*out = climb(i % 10);
	try {
		*out += rest(i);
	} catch (const std::runtime_error &) {
		*out += 1000;
	}
	return std::move(caller);
}

/* Two at a time, in turns. Each second pair is dropped half way. */
static long pair(long i)
{
	long heights[2] = {};
	context::fiber a([&](context::fiber &&c) { return body(std::move(c), i, &heights[0]); });
	context::fiber b(
		[&](context::fiber &&c) { return body(std::move(c), i + 1, &heights[1]); });

	a = std::move(a).resume();
	b = std::move(b).resume();
	for (int turn = 0; turn < 2 && i % 4 < 2; turn++) {
		a = std::move(a).resume();
		b = std::move(b).resume();
	}
	return heights[0] + heights[1];
}

int main(int argc, char **argv)
{
	long times = (long)target_number(argc, argv, 1, 100), sum = 0;

	target_wait("ready");
	for (long i = 0; i < times; i++)
		sum += pair(i);
	printf("#sum %ld destroyed %lu\n", sum, destroyed);
	target_report("rest", {rests, rests - rests_left, 0, rests_left});
	target_report("climb", {climbs, climbs - climbs_left, 0, climbs_left});
	target_wait("done");
	return sum == 42;
}
