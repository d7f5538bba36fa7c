/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unwinds TIMES: exceptions in every shape that C++ has for them, through functions that are all
 * meant to be probed: across frames with objects to destroy, caught and thrown again, carried from
 * thread to thread, thrown by a constructor, through the C library's qsort(), against noexcept,
 * beside dynamic_cast and the end of threads. The sums that it prints depend on every one of them.
 */
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target.h"

extern "C" {
long descend(long depth, long value);
long catch_at(long depth, long value);
long rethrow(long value);
int compare(const void *a, const void *b);
}

static unsigned long descents, catches, rethrows, comparisons, destroyed;

struct counted {
	~counted()
	{
		destroyed++;
	}
};

struct shape {
	virtual ~shape() = default;
	virtual long area() const
	{
		return 0;
	}
};

struct named {
	virtual ~named() = default;
	std::string name = "a shape with a name that is too long to lie inside the object";
};

struct square : shape, named {
	explicit square(long n) : side(n)
	{
		if (n % 7 == 3)
			throw std::domain_error("no such square");
	}
	long area() const override
	{
		return side * side;
	}
	long side;
};

/* Each frame has an object to destroy, so that the exception stops in it and goes on. */
PROBED long descend(long depth, long value)
{
	counted here;

	descents++;
	if (!depth)
		throw std::runtime_error(std::to_string(value));
	return opaque(descend(depth - 1, value)) + 1;
}

PROBED long catch_at(long depth, long value)
{
	catches++;
	try {
		return descend(depth, value);
	} catch (const std::logic_error &) {
		return -1;
	} catch (const std::exception &e) {
		return std::stol(e.what());
	}
}

/* Thrown again as it is, as another, and with the first one inside. */
PROBED long rethrow(long value)
{
	rethrows++;
	try {
		try {
			descend(2, value);
		} catch (...) {
			if (value % 3 == 0)
				throw;
			if (value % 3 == 1)
				throw value;
			std::throw_with_nested(std::logic_error("outer"));
		}
	} catch (const std::nested_exception &e) {
		try {
			e.rethrow_nested();
		} catch (const std::runtime_error &inner) {
			return std::stol(inner.what());
		}
	} catch (long n) {
		return n;
	} catch (const std::runtime_error &e) {
		return std::stol(e.what());
	}
	return -1;
}

PROBED int compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	comparisons++;
	if (x == 50 || y == 50)
		throw std::out_of_range("50");
	return x < y ? -1 : x > y;
}

PROBED static long sort_and_throw(long n)
{
	std::vector<int> numbers;

	for (long i = n; i > 0; i--)
		numbers.push_back((int)i);
	try {
		qsort(numbers.data(), numbers.size(), sizeof(int), compare);
	} catch (const std::out_of_range &e) {
		return std::stol(e.what());
	}
	return numbers[0];
}

PROBED static long cast(long n)
{
	long sum = 0;

	for (long i = 0; i < n; i++) {
		try {
			std::unique_ptr<shape> s(i % 2 ? new square(i) : new shape);
			named *other = dynamic_cast<named *>(s.get());

			sum += other ? (long)other->name.size() +
					       dynamic_cast<square &>(*other).area()
				     : 1;
			sum += dynamic_cast<square &>(*s).side;
		} catch (const std::bad_cast &) {
			sum += 2;
		} catch (const std::domain_error &) {
			sum += 3;
		}
	}
	return sum;
}

/* What one thread throws, another catches. */
PROBED static long carry(long n)
{
	std::exception_ptr carried;
	long sum = 0;

	for (long i = 0; i < n; i++) {
		std::thread([&] {
			try {
				descend(i % 5, i);
			} catch (...) {
				carried = std::current_exception();
			}
		}).join();
		try {
			std::rethrow_exception(carried);
		} catch (const std::runtime_error &e) {
			sum += std::stol(e.what());
		}
	}
	return sum;
}

/* The end of a thread unwinds its stack like an exception that nobody may keep. */
static void *end_inside(void *data)
{
	counted here;

	try {
		pthread_exit(data);
	} catch (...) {
		destroyed += 100;
		throw;
	}
}

PROBED static long end_threads(long n)
{
	for (long i = 0; i < n; i++) {
		pthread_t thread;

		if (!pthread_create(&thread, nullptr, end_inside, nullptr))
			pthread_join(thread, nullptr);
	}
	return (long)destroyed;
}

enum { CHILDS_DESCENTS = 4 };

PROBED static void against_noexcept() noexcept
{
	descend(CHILDS_DESCENTS - 1, 1);
}

[[noreturn]] static void last_words()
{
	_exit(std::current_exception() ? 7 : 8);
}

/* In a child, because it ends there. */
PROBED static long terminate_child()
{
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		std::set_terminate(last_words);
		against_noexcept();
		_exit(1);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(int argc, char **argv)
{
	long times = (long)target_number(argc, argv, 1, 200);
	long sum = 0;

	target_wait("ready");
	for (long i = 0; i < times; i++)
		sum += catch_at(i % 20, i) + rethrow(i);
	printf("#sum %ld\n", sum);
	printf("#sort %ld %ld\n", sort_and_throw(100), sort_and_throw(49));
	printf("#cast %ld\n", cast(times));
	printf("#carried %ld\n", carry(20));
	printf("#child %ld\n", terminate_child());
	printf("#destroyed %ld\n", end_threads(20));
	descents += CHILDS_DESCENTS;
	target_report("descend", {descents, 0, 0, descents});
	target_report("compare", {comparisons, comparisons - 1, 0, 1});
	target_report("catch_at", {catches, catches, 0, 0});
	target_report("rethrow", {rethrows, rethrows, 0, 0});
	target_wait("done");
	return sum == 42;
}
