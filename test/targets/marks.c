/* SPDX-License-Identifier: Apache-2.0 */
/*
 * marks THREADS CALLS: passes USDT points that have arguments, in several places, which have them
 * in registers, in memory and as constants; and begins and ends calls at some. Reports lines of
 * FAMILY LABEL SUM, see carriers.c.
 */
#include <pthread.h>
#include <stdint.h>

#include "points.h"
#include "target.h"

enum { N_NAMES = 3, N_CODES = 4, MOST_THREADS = 16, FIXED = 6 };

static const char *const names[N_NAMES] = {"alpha", "beta", "gamma"};

struct truth {
	unsigned long passed, fixed, bytes, called, failed;
	unsigned long by_name[N_NAMES], by_code[N_CODES];
};

struct thread {
	pthread_t id;
	unsigned long n_calls;
	struct truth truth;
};

/* Codes are negative from 1 on. */
static int code_of(unsigned long i)
{
	return -(int)(i % N_CODES);
}

void pass(int code, const char *name, uint64_t bytes);

PROBED void pass(int code, const char *name, uint64_t bytes)
{
	POINT3(mark, code, name, bytes);
}

void pass_in_memory(volatile int *code, const char *name);

/* One argument lies in memory, one is a constant. */
PROBED void pass_in_memory(volatile int *code, const char *name)
{
	POINT3(mark, *code, name, (uint64_t)FIXED);
}

void call(unsigned char kind, short result);

PROBED void call(unsigned char kind, short result)
{
	POINT1(mark__start, kind);
	opaque(kind);
	POINT1(mark__done, result);
}

static void *run(void *data)
{
	struct thread *t = data;

	for (unsigned long i = 0; i < t->n_calls; i++) {
		volatile int code = code_of(i);

		t->truth.by_code[i % N_CODES]++;
		t->truth.by_name[i % N_NAMES]++;
		if (i % 2) {
			pass(code_of(i), names[i % N_NAMES], i);
			t->truth.bytes += i;
		} else {
			pass_in_memory(&code, names[i % N_NAMES]);
			t->truth.bytes += FIXED;
			t->truth.fixed++;
		}
		t->truth.passed++;
		call((unsigned char)(200 + i % 2), (short)(i % 3 ? 5 : -300));
		t->truth.called++;
		t->truth.failed += !(i % 3);
	}
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
	printf("mark_calls_total\t-\t%lu\n", t->passed);
	for (size_t i = 0; i < N_CODES; i++)
		printf("mark_calls_total\tcode=\"%d\"\t%lu\n", code_of(i), t->by_code[i]);
	for (size_t i = 0; i < N_NAMES; i++)
		printf("mark_calls_total\tname=\"%s\"\t%lu\n", names[i], t->by_name[i]);
	printf("mark_bytes_sum\t-\t%lu\n", t->bytes);
	printf("mark_bytes_count\t-\t%lu\n", t->passed);
	printf("fixed_calls_total\t-\t%lu\n", t->fixed);
	printf("pair_calls_total\t-\t%lu\n", t->called);
	printf("pair_calls_total\tkind=\"200\"\t%lu\n", (t->called + 1) / 2);
	printf("pair_calls_total\tkind=\"201\"\t%lu\n", t->called / 2);
	printf("pair_errors_total\t-\t%lu\n", t->failed);
	printf("pair_duration_seconds_count\t-\t%lu\n", t->called);
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
