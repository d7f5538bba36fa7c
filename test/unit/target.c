// SPDX-License-Identifier: Apache-2.0
/* What a path means in the exporter's own view, and files that lost their name but still run. */
#include "target_fixture.h"

#include <dirent.h>
#include <sys/mman.h>

static void a_file_is_found_once_and_kept(void)
{
	begin();
	write_file(at("program"), "one");
	CHECK_INT(link(at("program"), at("hard")), 0);
	CHECK_INT(symlink("program", at("soft")), 0);
	{
		_cleanup_(answer_deinit) struct answer a = find(at("program"));
		_cleanup_(answer_deinit) struct answer b = find_again(at("program"));
		_cleanup_(answer_deinit) struct answer hard = find(at("hard")),
						       soft = find(at("soft"));

		CHECK_INT(a.n, 1);
		CHECK(!a.e.text);
		CHECK_STR(a.targets[0]->origin, at("program"));
		CHECK_INT(a.targets[0]->pid, 0);
		CHECK_INT(a.targets[0]->size_bytes, 3);
		check_text(a.targets[0], "one");
		CHECK_INT(b.n, 1);
		CHECK(b.targets[0] == a.targets[0]);
		CHECK(hard.targets[0] == a.targets[0]);
		CHECK(soft.targets[0] == a.targets[0]);
	}
	end();
}

static void what_is_no_file_is_not_opened(void)
{
	static const struct {
		const char *name, *why;
	} cases[] = {
		{"fifo", "a FIFO, not a program or library"},
		{"folder", "a directory, not a program or library"},
		{"device", "a device, not a program or library"},
		{"nothing", "no such file, neither here nor in any process's mount namespace"},
		{"loop", "no such file, neither here nor in any process's mount namespace"},
	};

	begin();
	CHECK_INT(mkfifo(at("fifo"), 0644), 0);
	CHECK_INT(mkdir(at("folder"), 0755), 0);
	CHECK_INT(symlink("/dev/null", at("device")), 0);
	CHECK_INT(symlink("loop", at("loop")), 0);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(answer_deinit) struct answer a = find(at(cases[i].name));
		char *why = memory_printf("%s: %s", at(cases[i].name), cases[i].why);

		CHECK_INT(a.n, 0);
		CHECK_STR(a.e.text, why);
		free(why);
	}
	end();
}

static void a_file_that_appears_is_found_at_the_next_refresh(void)
{
	begin();
	{
		_cleanup_(answer_deinit) struct answer before = find(at("late"));

		CHECK_INT(before.n, 0);
	}
	write_file(at("late"), "late");
	{
		_cleanup_(answer_deinit) struct answer same = find(at("late"));
		_cleanup_(answer_deinit) struct answer after = find_again(at("late"));

		CHECK_INT(same.n, 0);
		CHECK_INT(after.n, 1);
	}
	end();
}

static void a_change_in_place_is_a_new_target(void)
{
	begin();
	write_file(at("program"), "one");
	{
		_cleanup_(answer_deinit) struct answer a = find(at("program"));

		CHECK(!target_has_changed(a.targets[0]));
		write_file(at("program"), "other");
		CHECK(target_has_changed(a.targets[0]));
		{
			_cleanup_(answer_deinit) struct answer b = find_again(at("program"));

			CHECK_INT(b.n, 1);
			CHECK(b.targets[0] != a.targets[0]);
			CHECK_INT(b.targets[0]->size_bytes, 5);
			CHECK_INT(b.targets[0]->inode, a.targets[0]->inode);
			write_file(at("program"), "again");
			CHECK(target_has_changed(b.targets[0]));
		}
	}
	end();
}

static void a_replaced_file_that_nobody_uses_is_let_go(void)
{
	begin();
	write_file(at("program"), "one");
	{
		_cleanup_(answer_deinit) struct answer a = find(at("program"));

		write_file(at("program.new"), "two");
		CHECK_INT(rename(at("program.new"), at("program")), 0);
		{
			_cleanup_(answer_deinit) struct answer b = find_again(at("program"));

			CHECK_INT(b.n, 1);
			check_text(b.targets[0], "two");
			check_text(a.targets[0], "one");
		}
		CHECK_INT(a.targets[0]->references, 1);
	}
	end();
}

static void a_deleted_program_that_runs_is_found(void)
{
	_cleanup_(child_end) struct child c = {};
	char *origin;

	begin();
	copy_program("/bin/sleep", at("program"));
	c = child_run(at("program"), "600");
	CHECK_INT(unlink(at("program")), 0);
	origin = memory_printf("/proc/%d/exe", c.pid);
	look_anew();
	{
		_cleanup_(answer_deinit) struct answer a = find(at("program"));

		CHECK_INT(a.n, 1);
		CHECK_STR(a.n ? a.targets[0]->origin : "", origin);
		CHECK_INT(a.n ? a.targets[0]->pid : 0, c.pid);
	}
	child_end(&c);
	{
		_cleanup_(answer_deinit) struct answer a = find_again(at("program"));

		CHECK_INT(a.n, 0);
	}
	free(origin);
	end();
}

/* Replaced while it ran: for one that knew it before, and for one that comes later. */
static void a_replaced_program_that_runs_is_kept(void)
{
	_cleanup_(child_end) struct child c = {};

	begin();
	copy_program("/bin/sleep", at("program"));
	CHECK_INT(symlink(directory, at("around")), 0);
	c = child_run(at("program"), "600");
	{
		_cleanup_(answer_deinit) struct answer a = find_again(at("around/program"));

		CHECK_INT(a.n, 1);
		copy_program("/bin/true", at("program.new"));
		CHECK_INT(rename(at("program.new"), at("program")), 0);
		for (int i = 0; i < 3; i++) {
			_cleanup_(answer_deinit) struct answer b = find_again(at("around/program"));

			CHECK_INT(b.n, 2);
			CHECK(b.n == 2 && b.targets[1] == a.targets[0]);
		}
		look_anew();
		{
			_cleanup_(answer_deinit) struct answer b = find(at("around/program"));

			CHECK_INT(b.n, 2);
			CHECK(b.n == 2 && b.targets[1]->inode == a.targets[0]->inode);
		}
	}
	child_end(&c);
	{
		_cleanup_(answer_deinit) struct answer a = find_again(at("around/program"));

		CHECK_INT(a.n, 1);
	}
	end();
}

static void a_program_that_was_moved_away_is_kept(void)
{
	_cleanup_(child_end) struct child c = {};

	begin();
	copy_program("/bin/sleep", at("program"));
	c = child_run(at("program"), "600");
	{
		_cleanup_(answer_deinit) struct answer a = find_again(at("program"));

		CHECK_INT(rename(at("program"), at("program.old")), 0);
		copy_program("/bin/true", at("program"));
		{
			_cleanup_(answer_deinit) struct answer b = find_again(at("program"));

			CHECK_INT(b.n, 2);
			CHECK(b.n == 2 && b.targets[1] == a.targets[0]);
		}
	}
	end();
}

static int map_library(void)
{
	int fd = open(at("library"), O_RDONLY | O_CLOEXEC);
	void *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);

	close(fd);
	return code == MAP_FAILED;
}

static void a_deleted_library_that_is_mapped_is_found(void)
{
	_cleanup_(child_end) struct child c = {};

	if (geteuid()) {
		printf("SKIPPED %s: following map_files takes privilege\n", __func__);
		return;
	}
	begin();
	write_file(at("library"), "code");
	c = child_start(map_library);
	CHECK_INT(unlink(at("library")), 0);
	look_anew();
	for (int i = 0; i < 2; i++) {
		_cleanup_(answer_deinit) struct answer a = find_again(at("library"));

		CHECK_INT(a.n, 1);
		CHECK_INT(a.n ? a.targets[0]->pid : 0, c.pid);
		if (a.n)
			check_text(a.targets[0], "code");
	}
	child_end(&c);
	{
		_cleanup_(answer_deinit) struct answer a = find_again(at("library"));

		CHECK_INT(a.n, 0);
	}
	end();
}

/* Its process maps the one file that is left, whose offsets have changed. */
static void a_mapped_library_that_is_overwritten_is_one_target(void)
{
	_cleanup_(child_end) struct child c = {};

	begin();
	write_file(at("library"), "old");
	c = child_start(map_library);
	{
		_cleanup_(answer_deinit) struct answer a = find_again(at("library"));

		write_file(at("library"), "newer");
		{
			_cleanup_(answer_deinit) struct answer b = find_again(at("library"));

			CHECK_INT(b.n, 1);
			CHECK(b.targets[0] != a.targets[0]);
			CHECK_INT(b.targets[0]->size_bytes, 5);
		}
	}
	end();
}

static int lifeline[2];

/* Leaves a process behind that has inherited the mapping, until the lifeline is closed. */
static int map_library_and_fork(void)
{
	char byte;

	if (map_library())
		return 1;
	if (!fork()) {
		close(lifeline[1]);
		_exit(read(lifeline[0], &byte, 1) != 0);
	}
	return 0;
}

static void a_replaced_library_is_kept_as_long_as_anyone_maps_it(void)
{
	_cleanup_(child_end) struct child c = {};

	begin();
	CHECK_INT(pipe2(lifeline, O_CLOEXEC), 0);
	CHECK_INT(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	write_file(at("library"), "old");
	c = child_start(map_library_and_fork);
	{
		_cleanup_(answer_deinit) struct answer a = find_again(at("library"));

		CHECK_INT(a.n, 1);
		write_file(at("library.new"), "new");
		CHECK_INT(rename(at("library.new"), at("library")), 0);
		for (int i = 0; i < 4; i++) {
			_cleanup_(answer_deinit) struct answer b = find_again(at("library"));

			CHECK_INT(b.n, 2);
			check_text(b.targets[0], "new");
			CHECK(b.n == 2 && b.targets[1] == a.targets[0]);
			if (i == 1)
				child_end(&c); /* leaves the heir */
		}
	}
	close(lifeline[1]);
	close(lifeline[0]);
	CHECK(wait(NULL) > 0);
	{
		_cleanup_(answer_deinit) struct answer a = find_again(at("library"));

		CHECK_INT(a.n, 1);
	}
	end();
}

static size_t count_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	size_t n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static void no_descriptor_is_left(void)
{
	size_t before = count_descriptors();

	begin();
	write_file(at("program"), "one");
	for (int i = 0; i < 10; i++) {
		_cleanup_(answer_deinit) struct answer a = find_again(at("program"));

		CHECK_INT(a.n, 1);
		write_file(at("program.new"), "two");
		CHECK_INT(rename(at("program.new"), at("program")), 0);
	}
	CHECK_INT(world_refresh(world, NULL), 0);
	CHECK_INT(world_refresh(world, NULL), 0);
	CHECK_INT(count_descriptors(), before + 1); /* of /proc */
	end();
	CHECK_INT(count_descriptors(), before);
}

static void a_missing_proc_is_an_error(void)
{
	_cleanup_(error_deinit) struct error e = {};
	struct world *w = NULL;

	CHECK_INT(world_new(&w, "/nowhere/proc", &e), -ENOENT);
	CHECK_STR(error_text(&e), "/nowhere/proc: No such file or directory");
	CHECK(!w);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(a_file_is_found_once_and_kept),
		CHECK_TEST(what_is_no_file_is_not_opened),
		CHECK_TEST(a_file_that_appears_is_found_at_the_next_refresh),
		CHECK_TEST(a_change_in_place_is_a_new_target),
		CHECK_TEST(a_replaced_file_that_nobody_uses_is_let_go),
		CHECK_TEST(a_deleted_program_that_runs_is_found),
		CHECK_TEST(a_replaced_program_that_runs_is_kept),
		CHECK_TEST(a_program_that_was_moved_away_is_kept),
		CHECK_TEST(a_deleted_library_that_is_mapped_is_found),
		CHECK_TEST(a_mapped_library_that_is_overwritten_is_one_target),
		CHECK_TEST(a_replaced_library_is_kept_as_long_as_anyone_maps_it),
		CHECK_TEST(no_descriptor_is_left),
		CHECK_TEST(a_missing_proc_is_an_error),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
