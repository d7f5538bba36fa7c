// SPDX-License-Identifier: Apache-2.0
/* Files that are written while a world watches them: who waits for whom, and what follows. */
#include "target_fixture.h"

#include <poll.h>

static void begin_watching(void)
{
	_cleanup_(error_deinit) struct error e = {};

	begin();
	CHECK_INT(world_watch(world, &e), 0);
}

/* What was released, and what the file held at that time. */
struct released {
	const struct target *target;
	unsigned n;
	char text[64];
};

static void note_release(const struct target *t, void *data)
{
	struct released *r = data;
	ssize_t n = pread(t->fd, r->text, sizeof(r->text) - 1, 0);

	r->text[n > 0 ? n : 0] = '\0';
	r->target = t;
	r->n++;
}

/* Reads what happens until it calls for a new plan; false when nothing does. */
static bool await_news(struct released *r)
{
	struct pollfd p = {world_watch_fd(world), POLLIN, 0};

	while (poll(&p, 1, 5000) == 1)
		if (world_watch_read(world, note_release, r))
			return true;
	return false;
}

static pid_t write_elsewhere(const char *path, const char *text)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	write_file(path, text);
	_exit(0);
}

static void a_writer_waits_until_the_file_is_released(void)
{
	struct released r = {};
	pid_t writer;

	begin_watching();
	write_file(at("program"), "one");
	{
		_cleanup_(answer_deinit) struct answer a = find(at("program"));

		CHECK_INT(a.n, 1);
		CHECK_INT(a.targets[0]->state, TARGET_WHOLE);
		CHECK(!a.targets[0]->unguarded);
		writer = write_elsewhere(at("program"), "two and more");
		CHECK(await_news(&r));
		CHECK(r.target == a.targets[0]);
		CHECK_INT(r.n, 1);
		CHECK_STR(r.text, "one");
		CHECK_INT(a.targets[0]->state, TARGET_WRITTEN);
		CHECK_STR(target_trouble(a.targets[0]),
			"someone has the file open for writing: it is looked at again when it is "
			"whole");
		waitpid(writer, NULL, 0);
		{
			_cleanup_(answer_deinit) struct answer same = find_again(at("program"));

			CHECK_INT(same.n, 1);
			CHECK(same.targets[0] == a.targets[0]);
		}
		CHECK(await_news(&r));
		CHECK_INT(r.n, 1);
		{
			_cleanup_(answer_deinit) struct answer b = find_again(at("program"));

			CHECK_INT(b.n, 1);
			CHECK(b.targets[0] != a.targets[0]);
			CHECK(!target_trouble(b.targets[0]));
			check_text(b.targets[0], "two and more");
		}
	}
	end();
}

static void a_file_is_not_whole_while_it_is_open(void)
{
	struct released r = {};
	int fd;

	begin_watching();
	write_file(at("program"), "one");
	fd = open(at("program"), O_WRONLY | O_CLOEXEC);
	{
		_cleanup_(answer_deinit) struct answer a = find(at("program"));
		struct pollfd p = {world_watch_fd(world), POLLIN, 0};

		CHECK_INT(a.n, 1);
		CHECK_INT(a.targets[0]->state, TARGET_WRITTEN);
		for (int i = 0; i < 10; i++) {
			CHECK_INT(poll(&p, 1, 5000), 1);
			CHECK(!world_watch_read(world, note_release, &r));
		}
		close(fd);
		CHECK(await_news(&r));
		CHECK_INT(a.targets[0]->state, TARGET_OUTDATED);
		CHECK_INT(r.n, 0);
	}
	end();
}

/* As a copy that keeps times makes it: the same length, the same time. */
static void a_change_that_leaves_size_and_time_is_one(void)
{
	struct released r = {};
	struct timespec times[2];
	struct stat st;
	pid_t writer;

	begin_watching();
	write_file(at("program"), "one");
	CHECK_INT(stat(at("program"), &st), 0);
	{
		_cleanup_(answer_deinit) struct answer a = find(at("program"));

		writer = write_elsewhere(at("program"), "two");
		CHECK(await_news(&r));
		waitpid(writer, NULL, 0);
		times[0] = times[1] = st.st_mtim;
		CHECK_INT(utimensat(AT_FDCWD, at("program"), times, 0), 0);
		CHECK(await_news(&r));
		{
			_cleanup_(answer_deinit) struct answer b = find_again(at("program"));

			CHECK(!target_has_changed(a.targets[0]));
			CHECK_INT(b.n, 1);
			CHECK(b.targets[0] != a.targets[0]);
			check_text(b.targets[0], "two");
		}
	}
	end();
}

static void who_replaces_a_file_does_not_wait(void)
{
	struct released r = {};

	begin_watching();
	write_file(at("program"), "one");
	{
		_cleanup_(answer_deinit) struct answer a = find(at("program"));
		struct pollfd p = {world_watch_fd(world), POLLIN, 0};

		write_file(at("program.new"), "two");
		CHECK_INT(rename(at("program.new"), at("program")), 0);
		CHECK_INT(poll(&p, 1, 0), 0);
		CHECK(!world_watch_read(world, note_release, &r));
		CHECK_INT(a.targets[0]->state, TARGET_WHOLE);
	}
	end();
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(a_writer_waits_until_the_file_is_released),
		CHECK_TEST(a_file_is_not_whole_while_it_is_open),
		CHECK_TEST(a_change_that_leaves_size_and_time_is_one),
		CHECK_TEST(who_replaces_a_file_does_not_wait),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
