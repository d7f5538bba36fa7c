// SPDX-License-Identifier: Apache-2.0
/* Processes that run other memory in place of their file's code, or were told to. */
#include "target_fixture.h"

#include <sys/mman.h>

enum { PAGE = 4096, PAGES = 4 };

static char *library;

/* A run of free addresses for a test to lay out. */
static char *reserve(void)
{
	return mmap(NULL, 64 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static int map_file(char *address, size_t first, size_t n)
{
	int fd = open(library, O_RDONLY | O_CLOEXEC);
	void *p = mmap(address, n * PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd,
		(off_t)(first * PAGE));

	close(fd);
	return p == MAP_FAILED;
}

static int map_code(char *address, size_t n)
{
	return mmap(address, n * PAGE, PROT_READ | PROT_EXEC,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED;
}

static int map_as_it_is(void)
{
	return map_file(reserve(), 0, PAGES);
}

static int replace_the_middle(void)
{
	char *start = reserve();

	return map_file(start, 0, PAGES) || map_code(start + PAGE, 2);
}

static int replace_all_but_the_end(void)
{
	char *start = reserve();

	return map_file(start, 0, PAGES) || map_file(start + 8 * PAGE, 0, 1) ||
	       map_code(start + 9 * PAGE, 2) || map_file(start + 11 * PAGE, 3, 1);
}

static int make_code_behind(void)
{
	char *start = reserve();

	return map_file(start, 0, PAGES) || map_code(start + PAGES * PAGE, 4);
}

/* A part of the file once more, among code that was made. */
static int map_again_among_code(void)
{
	char *low = reserve(), *high = low + (32 << 20);

	return map_file(low, 0, PAGES) || map_code(high, 2) || map_file(high + 2 * PAGE, 1, 2);
}

static void check_moved(int (*prepare)(void), bool expected)
{
	_cleanup_(child_end) struct child c = {};

	begin();
	library = at("library");
	write_file(library, "code");
	CHECK_INT(truncate(library, PAGES * PAGE), 0);
	c = child_start(prepare);
	CHECK(c.is_ready);
	{
		_cleanup_(answer_deinit) struct answer a = find_again(at("library"));

		CHECK_INT(a.n, 1);
		CHECK_INT(world_has_moved_code(world, a.targets[0]), expected);
	}
	end();
}

static void code_that_was_replaced_is_seen(void)
{
	check_moved(replace_the_middle, true);
	check_moved(replace_all_but_the_end, true);
}

static void code_elsewhere_is_none_of_the_file(void)
{
	check_moved(map_as_it_is, false);
	check_moved(make_code_behind, false);
	check_moved(map_again_among_code, false);
}

/* Runs a program that sleeps and doesn't look at its first argument. */
static struct child sleep_as(const char *argument)
{
	return child_run_as(at("program"), argument, "600");
}

static void check_option(const char *argument, const char *variable, bool expected)
{
	_cleanup_(child_end) struct child c = {};

	begin();
	copy_program("/bin/sleep", at("program"));
	if (variable)
		setenv("TEST_OPTIONS", variable, 1);
	c = sleep_as(argument);
	unsetenv("TEST_OPTIONS");
	{
		_cleanup_(answer_deinit) struct answer a = find_again(at("program"));

		CHECK_INT(a.n, 1);
		CHECK_INT(
			world_has_option(world, a.targets[0], "--large", "TEST_OPTIONS"), expected);
	}
	end();
}

static void options_are_seen_where_they_are_given(void)
{
	check_option("--large=on", NULL, true);
	check_option("--large=off", NULL, false);
	check_option("x--large", NULL, false);
	check_option("x", "--small --large", true);
	check_option("x", "--large=off", false);
	check_option("x", "--large=off --large=on", true);
	check_option("x", NULL, false);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(code_that_was_replaced_is_seen),
		CHECK_TEST(code_elsewhere_is_none_of_the_file),
		CHECK_TEST(options_are_seen_where_they_are_given),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
