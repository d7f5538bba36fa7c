// SPDX-License-Identifier: Apache-2.0
/*
 * Passes USDT points: plain ones, one in several places, one behind its semaphore, one of a
 * library; and pairs of them, in threads, within each other, too deep, and with ends that never
 * come.
 *
 * points CALLS. A second line, after `done`, asks for the semaphore once more.
 * points CALLS hold: stops within calls instead.
 */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "points.h"
#include "target.h"

/* Of 128 calls that a thread may have open, one is that of `flat`. */
enum { THREADS = 4, DEPTH = 10, TOO_DEEP = 200, OPEN_AT_MOST = 127 };

POINT_SEMAPHORE(guarded);

/* A function that begins with a point which has a semaphore: its best site is the point's. */
void points_entry(void);

POINT_SEMAPHORE(entry);
__asm__(".pushsection .text\n"
	".globl points_entry\n"
	".type points_entry, %function\n"
	"points_entry:\n"
	".cfi_startproc\n" GUARDED_POINT_TEXT(entry) "ret\n"
						     ".cfi_endproc\n"
						     ".size points_entry, . - points_entry\n"
						     ".popsection\n");

void points_hold(void);
unsigned long points_in_library(unsigned long n); /* how often the library's point was watched */

static unsigned long n_calls;

static void pass_plain(void)
{
	for (unsigned long i = 0; i < n_calls; i++)
		POINT(plain);
	target_report("plain", (struct ending){.calls = n_calls});
	for (unsigned long i = 0; i < n_calls; i++)
		points_entry();
	target_report("entry", (struct ending){.calls = n_calls});
	target_report("entry_function", (struct ending){.calls = n_calls});
}

static void pass_many(void)
{
	for (unsigned long i = 0; i < n_calls; i++) {
		POINT(many);
		if (opaque((long)i) % 2)
			POINT(many);
		if (opaque((long)i) % 4 == 3)
			POINT(many);
	}
	target_report("many", (struct ending){.calls = n_calls + n_calls / 2 + n_calls / 4});
}

/* What the program sees of being watched: its own count. */
static void pass_guarded(void)
{
	unsigned long n_watched = 0;

	for (unsigned long i = 0; i < n_calls; i++) {
		if (!POINT_IS_WATCHED(guarded))
			continue;
		n_watched++;
		GUARDED_POINT(guarded);
	}
	target_report("guarded", (struct ending){.calls = n_watched});
	target_report("inside", (struct ending){.calls = points_in_library(n_calls)});
}

static void *work(void *data)
{
	(void)data;
	for (unsigned long i = 0; i < n_calls; i++) {
		POINT(work__start);
		POINT(work__done);
	}
	return NULL;
}

static void work_in_threads(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	target_report("work",
		(struct ending){.calls = THREADS * n_calls, .completed = THREADS * n_calls});
}

static void nest(int depth)
{
	POINT(nest__start);
	if (depth > 1)
		nest(depth - 1);
	POINT(nest__done);
}

/* The same points in two probes: `flat` doesn't know that they nest. */
static void nest_all(void)
{
	unsigned long calls = n_calls * DEPTH + TOO_DEEP;

	for (unsigned long i = 0; i < n_calls; i++)
		nest(DEPTH);
	nest(TOO_DEEP);
	target_report("nest", (struct ending){.calls = calls,
				      .completed = n_calls * DEPTH + OPEN_AT_MOST,
				      .abandoned = TOO_DEEP - OPEN_AT_MOST});
	target_report("flat", (struct ending){.calls = calls,
				      .completed = n_calls + 1,
				      .abandoned = calls - n_calls - 1});
}

static void *leave(void *data)
{
	(void)data;
	POINT(risk__start);
	return NULL;
}

/* Every second call ends in one of two ways, the others in none; the last with its thread. */
static void risk(void)
{
	pthread_t thread;

	POINT(risk__done); /* begun by nobody */
	for (unsigned long i = 0; i < n_calls; i++) {
		POINT(risk__start);
		if (opaque((long)i) % 4 == 1)
			POINT(risk__done);
		if (opaque((long)i) % 4 == 3)
			POINT(risk__failed);
	}
	pthread_create(&thread, NULL, leave, NULL);
	pthread_join(thread, NULL);
	target_report("risk", (struct ending){.calls = n_calls + 1,
				      .completed = n_calls / 2,
				      .abandoned = n_calls - n_calls / 2 + 1});
}

/* The child has begun no call that it could end; the parent goes on with its own. */
static void split(void)
{
	pid_t child;

	POINT(split__start);
	child = fork();
	POINT(split__done);
	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	target_report("split", (struct ending){.calls = 1, .completed = 1});
}

int main(int argc, char **argv)
{
	n_calls = target_number(argc, argv, 1, 1000) / 4 * 4;
	target_wait("ready");
	if (argc > 2) {
		points_hold();
		target_wait("done");
		return 0;
	}
	pass_plain();
	pass_many();
	pass_guarded();
	work_in_threads();
	nest_all();
	risk();
	split();
	target_wait("done");
	printf("semaphore %u\n", *(volatile unsigned short *)&points_guarded_semaphore);
	target_wait("looked");
	return 0;
}
