/* SPDX-License-Identifier: Apache-2.0 */
/*
 * generators TIMES: coroutines of C++20, whose frames lie in the heap: each time that one goes on
 * is a call of a function that the compiler made of it. They are left half way, and throw.
 */
#include <coroutine>
#include <exception>
#include <stdexcept>
#include <utility>

#include "target.h"

extern "C" long step(long value);

static unsigned long steps, caught;

struct generator {
	struct promise_type {
		long value = 0;
		std::exception_ptr thrown;

		generator get_return_object()
		{
			return {std::coroutine_handle<promise_type>::from_promise(*this)};
		}
		std::suspend_always initial_suspend()
		{
			return {};
		}
		std::suspend_always final_suspend() noexcept
		{
			return {};
		}
		std::suspend_always yield_value(long next)
		{
			value = next;
			return {};
		}
		void return_void()
		{
		}
		void unhandled_exception()
		{
			thrown = std::current_exception();
		}
	};

	std::coroutine_handle<promise_type> handle;

	generator(std::coroutine_handle<promise_type> h) : handle(h)
	{
	}
	generator(generator &&other) : handle(std::exchange(other.handle, nullptr))
	{
	}
	~generator()
	{
		if (handle)
			handle.destroy();
	}
	bool next()
	{
		handle.resume();
		if (handle.promise().thrown)
			std::rethrow_exception(handle.promise().thrown);
		return !handle.done();
	}
};

PROBED long step(long value)
{
	steps++;
	return opaque(value) + 1;
}

PROBED static generator count(long n)
{
	for (long i = 0; i < n; i++) {
		if (i == 7)
			throw std::out_of_range("7");
		co_yield step(i);
	}
}

/* A coroutine in a coroutine. */
PROBED static generator pairs(long n)
{
	generator inner = count(n);

	while (inner.next())
		co_yield inner.handle.promise().value * 2;
}

PROBED static long run(long n)
{
	generator numbers = pairs(n);
	long sum = 0;

	try {
		while (numbers.next() && sum < (n == 11 ? 20 : 100))
			sum += numbers.handle.promise().value;
	} catch (const std::out_of_range &) {
		caught++;
	}
	return sum;
}

int main(int argc, char **argv)
{
	long times = (long)target_number(argc, argv, 1, 100), sum = 0;

	target_wait("ready");
	for (long i = 0; i < times; i++)
		sum += run(i % 12);
	printf("#sum %ld caught %lu\n", sum, caught);
	target_report("step", {steps, steps, 0, 0});
	target_wait("done");
	return sum == 42;
}
