/* SPDX-License-Identifier: Apache-2.0 */
/*
 * carriers THREADS CALLS: calls that carry an operation, a name, a structure that leads to a code,
 * a size and arguments on the stack, and return a result; each in four does so from within another,
 * and each in sixteen is left by a longjmp. Reports lines of FAMILY LABEL SUM, LABEL as in the
 * exposition (or `-`), which is what the configuration in test/e2e/carried has to give.
 */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "target.h"

struct code {
	int unused, number;
};

struct request {
	long unused[2];
	const struct code *code;
};

enum { N_OPERATIONS = 5, N_NAMES = 3, LEFT = 4, MOST_THREADS = 16 };

/* Six bytes are kept, and no part of a character. */
static const char *const names[N_NAMES] = {"alpha", "beta, and more", "gamma\xc3\xa9"};
static const char *const shown[N_NAMES] = {"alpha", "beta, ", "gamma"};

/* What a thread knows of its calls. */
struct truth {
	unsigned long calls, returned, errors, unreadable;
	unsigned long by_operation[N_OPERATIONS], by_name[N_NAMES], by_result[3], by_last[2];
	unsigned long bytes, large; /* carried in all, and by calls of 4096 bytes or more */
	unsigned long large_calls;
	long results;
};

struct thread {
	pthread_t id;
	unsigned long n_calls;
	struct truth truth;
};

static __thread jmp_buf way_out;

int serve(int operation, const char *name, const struct request *r, size_t bytes, long fifth,
	long sixth, long seventh, long eighth);

/* The result is -1, 0 or 1, by the last argument but one. */
PROBED int serve(int operation, const char *name, const struct request *r, size_t bytes, long fifth,
	long sixth, long seventh, long eighth)
{
	if (fifth)
		serve(operation - 1, names[0], r, bytes + 1, 0, sixth, seventh, eighth);
	if (!(bytes % 64) && *name)
		sched_yield();
	if (operation == LEFT)
		longjmp(way_out, 1);
	return (int)(opaque(seventh) % 3) - 1;
}

static void know(struct truth *t, int operation, size_t name, bool is_readable, size_t bytes,
	long seventh, long eighth)
{
	int result = (int)(seventh % 3) - 1;

	t->calls++;
	t->by_operation[operation]++;
	t->by_name[name]++;
	t->by_last[eighth]++;
	t->unreadable += !is_readable;
	t->bytes += bytes;
	if (bytes >= 4096) {
		t->large_calls++;
		t->large += bytes;
	}
	if (operation == LEFT)
		return;
	t->returned++;
	t->errors += result < 0;
	t->by_result[result + 1]++;
	t->results += result;
}

static void call(struct truth *t, unsigned long i)
{
	static const struct code code = {1, 7};
	static const struct request request = {.code = &code};
	int operation = i % 16 == 15 ? LEFT : (int)(i % 4);
	bool is_nested = operation > 0 && operation < LEFT && i % 4 == 1;
	const struct request *r = i % 5 ? &request : (const struct request *)16;
	size_t bytes = i % 10000;
	long seventh = (long)(i % 7), eighth = i % 2;

	know(t, operation, i % N_NAMES, i % 5, bytes, seventh, eighth);
	if (is_nested)
		know(t, operation - 1, 0, i % 5, bytes + 1, seventh, eighth);
	/* True is what isn't 0. */
	serve(operation, names[i % N_NAMES], r, bytes, is_nested, -1, seventh, 2 * eighth);
}

/* What a longjmp may have left is not looked at again. */
static void call_and_land(struct truth *t, unsigned long i)
{
	if (!setjmp(way_out))
		call(t, i);
}

static void *run(void *data)
{
	struct thread *t = data;

	for (unsigned long i = 0; i < t->n_calls; i++)
		call_and_land(&t->truth, i);
	return NULL;
}

static void add(struct truth *sum, const struct truth *t)
{
	const unsigned long *more = (const unsigned long *)t;
	unsigned long *to = (unsigned long *)sum;

	for (size_t i = 0; i < sizeof(*sum) / sizeof(*to); i++)
		to[i] += more[i];
}

static void report(const struct truth *t)
{
	static const char *const operations[] = {"get", "set", "2", "3", "leave"};
	static const char *const results[] = {"error", "empty", "ok"};

	printf("calls_total\t-\t%lu\n", t->calls);
	for (size_t i = 0; i < N_OPERATIONS; i++)
		printf("calls_total\top=\"%s\"\t%lu\n", operations[i], t->by_operation[i]);
	for (size_t i = 0; i < N_NAMES; i++)
		printf("calls_total\tname=\"%s\"\t%lu\n", shown[i], t->by_name[i]);
	for (size_t i = 0; i < 2; i++)
		printf("calls_total\tlast=\"%s\"\t%lu\n", i ? "true" : "false", t->by_last[i]);
	printf("calls_total\tcode=\"unreadable\"\t%lu\n", t->unreadable);
	printf("calls_total\tcode=\"7\"\t%lu\n", t->calls - t->unreadable);
	printf("calls_total\tsixth=\"-1\"\t%lu\n", t->calls);
	printf("duration_seconds_count\t-\t%lu\n", t->returned);
	printf("errors_total\t-\t%lu\n", t->errors);
	printf("bytes_sum\t-\t%lu\n", t->bytes);
	printf("bytes_count\t-\t%lu\n", t->calls);
	printf("result_sum\t-\t%ld\n", t->results);
	printf("result_count\t-\t%lu\n", t->returned);
	printf("late_calls_total\t-\t%lu\n", t->returned);
	printf("late_calls_total\tany=\"any\"\t%lu\n", t->returned);
	for (size_t i = 0; i < 3; i++)
		printf("late_calls_total\tresult=\"%s\"\t%lu\n", results[i], t->by_result[i]);
	printf("late_duration_seconds_count\t-\t%lu\n", t->returned);
	printf("large_calls_total\t-\t%lu\n", t->large_calls);
	printf("large_bytes_total\t-\t%lu\n", t->large);
	printf("abandoned\t-\t%lu\n", t->calls - t->returned);
}

int main(int argc, char **argv)
{
	unsigned long n_threads = target_number(argc, argv, 1, 2);
	unsigned long n_calls = target_number(argc, argv, 2, 10000);
	static struct thread threads[MOST_THREADS];
	struct truth sum = {0};

	target_wait("ready");
	for (unsigned long i = 0; i < n_threads; i++) {
		threads[i].n_calls = n_calls;
		pthread_create(&threads[i].id, NULL, run, &threads[i]);
	}
	for (unsigned long i = 0; i < n_threads; i++) {
		pthread_join(threads[i].id, NULL);
		add(&sum, &threads[i].truth);
	}
	report(&sum);
	target_wait("done");
	return 0;
}
