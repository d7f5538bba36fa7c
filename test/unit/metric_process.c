// SPDX-License-Identifier: Apache-2.0
#include "metric/process.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <time.h>

#include "base/memory.h"
#include "check.h"

static double now_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void open_files_are_counted(void)
{
	struct self_reading before = {}, after = {};
	_cleanup_(closep) int fd = -1;

	CHECK_INT(process_read(&before), 0);
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	CHECK_INT(process_read(&after), 0);
	CHECK(before.open_fds >= 3);
	CHECK_INT(after.open_fds, before.open_fds + 1);
}

static void limits_are_the_soft_ones(void)
{
	struct self_reading s = {};
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = 123;
	CHECK_INT(setrlimit(RLIMIT_NOFILE, &limit), 0);
	CHECK_INT(process_read(&s), 0);
	CHECK_INT(s.max_fds, 123);
	CHECK(s.virtual_max_bytes == UINT64_MAX);
}

static void memory_follows_use(void)
{
	const size_t size = 64 << 20;
	_cleanup_(freep) char *used = NULL;
	struct self_reading before = {}, after = {};

	CHECK_INT(process_read(&before), 0);
	used = memory_alloc(size);
	memset(used, 1, size);
	CHECK_INT(process_read(&after), 0);
	CHECK(after.resident_bytes > before.resident_bytes + size / 2);
	CHECK(after.resident_bytes < before.resident_bytes + 2 * size);
	CHECK(after.virtual_bytes >= after.resident_bytes);
}

static void the_start_lies_just_before_now(void)
{
	struct self_reading s = {}, again;

	CHECK_INT(process_read(&s), 0);
	CHECK(s.start_time_seconds <= now_seconds() + 1);
	CHECK(s.start_time_seconds > now_seconds() - 600);
	again = s;
	again.start_time_seconds = 42;
	CHECK_INT(process_read(&again), 0);
	CHECK(again.start_time_seconds == 42);
}

static void cpu_time_grows_with_work(void)
{
	struct self_reading s = {};
	double first;

	CHECK_INT(process_read(&s), 0);
	first = s.cpu_seconds;
	while (s.cpu_seconds < first + 0.05)
		CHECK_INT(process_read(&s), 0);
	CHECK(s.cpu_seconds >= (double)clock() / CLOCKS_PER_SEC - 0.1);
	CHECK(s.cpu_seconds <= (double)clock() / CLOCKS_PER_SEC + 0.1);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(open_files_are_counted),
		CHECK_TEST(limits_are_the_soft_ones),
		CHECK_TEST(memory_follows_use),
		CHECK_TEST(the_start_lies_just_before_now),
		CHECK_TEST(cpu_time_grows_with_work),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
