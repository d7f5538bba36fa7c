/* SPDX-License-Identifier: Apache-2.0 */
/*
 * offspring TIMES: a program that switches stacks, whose processes end and become other programs in
 * the middle of calls: what they leave open is lost, and nothing that others have open is.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "context.h"
#include "target.h"

static char stacks[2][COROUTINE_STACK_BYTES] __attribute__((aligned(4096)));
static struct coroutine own, inherited;
static struct ending *ending; /* of all processes */
static pthread_t first_thread;
static int held[2]; /* a pipe that this program holds open */

long linger(struct coroutine *c);

PROBED long linger(struct coroutine *c)
{
	ending->calls++;
	coroutine_yield(c);
	return opaque(0);
}

static void body(struct coroutine *c)
{
	linger(c);
}

static void begin(struct coroutine *c, char *stack)
{
	coroutine_init(c, stack, body, NULL);
	coroutine_resume(c);
}

static void end(struct coroutine *c)
{
	coroutine_resume(c);
	ending->completed++;
}

static void end_inside(void)
{
	begin(&own, stacks[1]);
	_exit(0);
}

/* The other program runs for as long as this one. */
static void become_inside(void)
{
	begin(&own, stacks[1]);
	dup2(held[0], STDIN_FILENO);
	execl("/proc/self/exe", "offspring", "nothing", NULL);
	_exit(6);
}

static void *outlive(void *unused)
{
	pthread_join(first_thread, NULL);
	end(&own);
	_exit(0);
	return unused;
}

/* Its first thread ends while a call is open that another then ends. */
static void end_late(void)
{
	pthread_t thread;

	first_thread = pthread_self();
	begin(&own, stacks[1]);
	if (pthread_create(&thread, NULL, outlive, NULL))
		_exit(6);
	pthread_exit(NULL);
}

/* Waits until it is over with the program that a child is, one way or the other. */
static void await_change(int closed_by_it)
{
	char byte;

	if (read(closed_by_it, &byte, 1))
		exit(5);
}

/* A child inherits an open call and returns from it, which is no return of the parent's. */
static void raise_child(void (*live)(void))
{
	int open_in_child[2];

	if (pipe2(open_in_child, O_CLOEXEC))
		exit(4);
	begin(&inherited, stacks[0]);
	if (!fork()) {
		coroutine_resume(&inherited);
		live();
	}
	close(open_in_child[1]);
	await_change(open_in_child[0]);
	close(open_in_child[0]);
	end(&inherited);
}

int main(int argc, char **argv)
{
	unsigned long times = target_number(argc, argv, 1, 10);

	if (argc > 1 && !times)
		return getchar() != EOF;
	if (pipe2(held, O_CLOEXEC))
		return 4;
	ending = mmap(
		NULL, sizeof(*ending), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	target_wait("ready");
	for (unsigned long i = 0; i < times; i++) {
		raise_child(end_inside);
		raise_child(become_inside);
		raise_child(end_late);
	}
	ending->abandoned = ending->calls - ending->completed;
	target_report("linger", *ending);
	target_wait("done");
	close(held[1]);
	while (wait(NULL) > 0)
		;
	return 0;
}
