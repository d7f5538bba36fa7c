// SPDX-License-Identifier: Apache-2.0
/*
 * Native buckets as the kernel's side fills them, in every attach mode: this program runs itself
 * with numbers around each bound, and the snapshot has each of them in the right bucket; durations
 * have the same sum in both kinds of buckets, also while calls go on.
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "trace/snapshot.h"

#include "check.h"

enum { SKIPPED = 77, N_NUMBERS = 64 * NATIVE_BOUNDS * 3 };

__attribute__((noinline, noclone)) long native_take(uint64_t number);
__attribute__((noinline, noclone)) long native_take(uint64_t number)
{
	__asm__ volatile("" : "+r"(number)::"memory");
	return (long)(number >> 1);
}

static uint64_t number_at(uint32_t i)
{
	uint32_t position = i / 3;

	return (native_value_bounds[position % NATIVE_BOUNDS] >> (63 - position / NATIVE_BOUNDS)) +
	       i % 3 - 1;
}

static int call_all(void)
{
	long sum = 0;

	for (uint32_t i = 0; i < N_NUMBERS; i++)
		sum += native_take(number_at(i)) + native_take(0 - number_at(i));
	return sum == 1;
}

static struct config *configuration(const char *program)
{
	_cleanup_(buffer_deinit) struct buffer text = {};
	struct config *config = NULL;
	struct error e = {};

	buffer_printf(&text,
		"global: {native_histograms: true}\n"
		"probes:\n"
		"- binary: '%s'\n"
		"  function: native_take\n"
		"  metric: native\n"
		"  values:\n"
		"  - {metric: native_u, from: u64 arg1, as: histogram, buckets: [0, 8, 1000]}\n"
		"  - {metric: native_s, from: s64 arg1, as: histogram, buckets: [-5, 0, 1000]}\n",
		program);
	if (config_parse(&config, "native", text.data, text.size, &e))
		printf("%s\n", error_text(&e));
	return config;
}

static uint64_t sum_of(const uint64_t *counts, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += counts[i];
	return sum;
}

static void check_value(const struct value_reading *v, bool is_signed, unsigned n_runs)
{
	uint64_t expected[NATIVE_SIGNED_RANKS] = {};

	for (uint32_t i = 0; i < N_NUMBERS; i++) {
		expected[native_rank_of_value(is_signed, number_at(i))] += n_runs;
		expected[native_rank_of_value(is_signed, 0 - number_at(i))] += n_runs;
	}
	CHECK_INT(v->native.kind, is_signed ? NATIVE_SIGNED : NATIVE_UNSIGNED);
	CHECK_INT(v->count, 2 * N_NUMBERS * n_runs);
	CHECK_INT(sum_of(v->buckets, 4), v->count);
	for (uint32_t i = 0; i < native_ranks(v->native.kind); i++)
		CHECK_INT(v->native.counts[i], expected[i]);
}

/* What holds in every snapshot. */
static const struct series_reading *check_sums(const struct snapshot *s)
{
	const struct series_reading *r = &s->probes[0].series[0];
	size_t n_bounds = s->plan->probes[0].config->bounds.n;

	if (s->probes[0].n_series != 1)
		return NULL;
	CHECK_INT(r->native.kind, NATIVE_DURATIONS);
	CHECK_INT(sum_of(r->buckets, n_bounds + 1), r->completed);
	CHECK_INT(sum_of(r->native.counts, NATIVE_RANKS), r->completed);
	for (int i = 0; i < 2; i++)
		CHECK_INT(
			sum_of(r->values[i].native.counts, native_ranks(r->values[i].native.kind)),
			r->values[i].count);
	return r;
}

/* Looks at the counts while the program runs; returns when it has ended. */
static void look_meanwhile(FILE *run, struct trace *t, struct snapshot *s)
{
	while (getc(run) != EOF) {
		trace_lock(t);
		snapshot_take(s, t);
		check_sums(s);
		trace_unlock(t);
	}
	CHECK_INT(pclose(run), 0);
}

static void check_trace(struct trace *t, const char *program)
{
	_cleanup_(freep) char *command = memory_printf("'%s' call", program);
	_cleanup_(snapshot_deinit) struct snapshot s = {};
	const struct series_reading *r;
	FILE *run = popen(command, "r");

	look_meanwhile(run, t, &s);
	trace_lock(t);
	snapshot_take(&s, t);
	r = check_sums(&s);
	CHECK(r);
	if (r) {
		CHECK_INT(r->completed, r->calls);
		check_value(&r->values[0], false, (unsigned)(r->calls / (2 * N_NUMBERS)));
		check_value(&r->values[1], true, (unsigned)(r->calls / (2 * N_NUMBERS)));
		CHECK_INT(r->calls, 20 * 2 * N_NUMBERS);
	}
	trace_unlock(t);
}

/* Returns whether the mode is to be had here. */
static bool check_mode(enum attach_mode mode, const char *program)
{
	_cleanup_(config_freep) struct config *config = configuration(program);
	_cleanup_(world_freep) struct world *world = NULL;
	_cleanup_(trace_freep) struct trace *t = NULL;
	struct error e = {};
	struct plan *plan;

	if (!config || trace_new(&t, mode, 10, &e) || world_new(&world, "/proc", &e) ||
		plan_resolve(&plan, config, &(struct plan_rules){.allows_uretprobes = true}, world,
			&e)) {
		printf("%s: %s\n", attach_mode_name(mode), error_text(&e));
		return false;
	}
	trace_apply(t, plan);
	check_trace(t, program);
	trace_detach(t);
	return true;
}

int main(int argc, char **argv)
{
	_cleanup_(freep) char *program = realpath(argv[0], NULL);
	static const enum attach_mode modes[] = {ATTACH_SESSION, ATTACH_MULTI, ATTACH_PERF};
	size_t n_checked = 0;

	if (argc > 1) {
		for (int i = 0; i < 20; i++) {
			if (call_all() || putchar('.') == EOF || fflush(stdout))
				return 1;
		}
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		n_checked += check_mode(modes[i], program);
	if (!n_checked) {
		printf("SKIPPED: no probe may be set here\n");
		return SKIPPED;
	}
	printf("%zu modes checked, %d failures\n", n_checked, check_failures);
	return check_failures != 0;
}
