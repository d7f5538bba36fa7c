/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tests of the target room share: a directory of its own for each test, its world, and
 * children that are ended with it.
 */
#pragma once

#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "target/world.h"

static char directory[64];
static struct world *world;

static inline char *at(const char *name)
{
	static char texts[8][256];
	static unsigned next;
	char *text = texts[next++ % 8];

	snprintf(text, 256, "%s/%s", directory, name);
	return text;
}

static inline void look_anew(void)
{
	_cleanup_(error_deinit) struct error e = {};

	world_free(world);
	world = NULL;
	CHECK_INT(world_new(&world, "/proc", &e), 0);
}

static inline void begin(void)
{
	strcpy(directory, "/tmp/uprobe_exporter-target-XXXXXX");
	CHECK(mkdtemp(directory) != NULL);
	look_anew();
}

static inline void end(void)
{
	char *command = memory_printf("rm -rf %s", directory);

	world_free(world);
	world = NULL;
	CHECK_INT(system(command), 0);
	free(command);
}

static inline void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);

	CHECK_INT(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static inline void copy_program(const char *from, const char *to)
{
	char *command = memory_printf("cp %s %s", from, to);

	CHECK_INT(system(command), 0);
	free(command);
}

/* ---- what a find gave ---- */

struct answer {
	struct target **targets;
	size_t n;
	struct error e;
};

static inline void answer_deinit(struct answer *a)
{
	for (size_t i = 0; i < a->n; i++)
		target_unref(a->targets[i]);
	free(a->targets);
	error_deinit(&a->e);
}

static inline struct answer find(const char *path)
{
	struct answer a = {};

	CHECK_INT(world_find(world, path, &a.targets, &a.n, &a.e), 0);
	return a;
}

static inline struct answer find_again(const char *path)
{
	CHECK_INT(world_refresh(world, NULL), 0);
	return find(path);
}

static inline void check_text(const struct target *t, const char *text)
{
	char bytes[64] = "";

	CHECK(pread(t->fd, bytes, sizeof(bytes) - 1, 0) >= 0);
	CHECK_STR(bytes, text);
}

/* ---- children ---- */

struct child {
	pid_t pid;
	bool is_ready;
};

static inline void child_end(struct child *c)
{
	if (c->pid > 0) {
		kill(c->pid, SIGKILL);
		waitpid(c->pid, NULL, 0);
	}
	c->pid = 0;
}

/* Forks a child that does prepare(), says whether that worked, and waits to be ended. */
static inline struct child child_start(int (*prepare)(void))
{
	struct child c = {};
	char result = 1;
	int ready[2];

	CHECK_INT(pipe2(ready, O_CLOEXEC), 0);
	c.pid = fork();
	if (!c.pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		result = (char)(prepare() != 0);
		if (write(ready[1], &result, 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	c.is_ready = read(ready[0], &result, 1) == 1 && !result;
	close(ready[0]);
	return c;
}

/* Runs a program under a name; returns once it has been executed. */
static inline struct child child_run_as(const char *program, const char *name, const char *argument)
{
	struct child c = {};
	int running[2];
	char byte;

	CHECK_INT(pipe2(running, O_CLOEXEC), 0);
	c.pid = fork();
	if (!c.pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		execl(program, name, argument, NULL);
		_exit(127);
	}
	close(running[1]);
	CHECK_INT(read(running[0], &byte, 1), 0);
	close(running[0]);
	c.is_ready = true;
	return c;
}

static inline struct child child_run(const char *program, const char *argument)
{
	return child_run_as(program, program, argument);
}
