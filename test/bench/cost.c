// SPDX-License-Identifier: Apache-2.0
/*
 * What one call of a probed function costs, as ratios within one run.
 *
 * Each way of probing has a function of its own, all alike: they start with push, and do nothing;
 * a few have one more instruction in front, of those that the kernel single-steps.
 * All stay attached for the whole run, and every round calls each of them a few times, one after
 * the other: a slow spell of the machine then hits all of them, and what lasts shorter than a
 * round is an outlier. The bare call is subtracted, a ratio is taken within a round, and a figure
 * is the median over the rounds. In the end the counts must be exact.
 *
 *     bench_cost [ROUNDS]
 */
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "bench.h"
#include "variant.h"

enum { CALLS = 100, WARM_UP_ROUNDS = 20, MAX_ROUNDS = 40000 };

/* {of, to, at most} */
static const struct promise {
	enum variant of, to;
	double limit;
} promises[] = {
	{SESSION, EMPTY_PAIR, 1.20},
	{ONLY_CALLS, EMPTY_ENTRY, 1.10},
	/* A quarter less was aimed at; see doc/measurements.md for why it is a fifth. */
	{SESSION, BPFTRACE, 0.85},
	{MOVED_ENDBR, SESSION, 1.10},
	{MOVED_MOV, SESSION, 1.10},
	{MOVED_XOR, SESSION, 1.10},
	{MOVED_TEST, SESSION, 1.10},
	{MOVED_LEA, SESSION, 1.10},
	{MOVED_ENDBR, BPFTRACE_STEPPED, 0.35},
	{EXITS, EMPTY_EXITS, 1.30},
	{SWITCHED, EMPTY_EXITS, 1.50},
	{GOROUTINES, EMPTY_EXITS, 1.70},
	{LABEL_OF_NUMBER, EMPTY_PAIR, 1.30},
	{LABEL_OF_PROCESS, EMPTY_PAIR, 1.33},
	{LABEL_OF_TEXT, EMPTY_PAIR, 1.55},
	{REJECTED, EMPTY_ENTRY, 1.15},
	{TWICE, SESSION, 1.50},
};

struct bench {
	struct probing probings[N_VARIANTS];
	double ns[N_VARIANTS][MAX_ROUNDS];
	unsigned n_rounds;
};

static double time_calls(enum variant v)
{
	variant_call *function = variant_function(v);
	double start_ns = now_ns();

	for (int i = 0; i < CALLS; i++)
		function("sixteen bytes of", 1);
	return (now_ns() - start_ns) / CALLS;
}

static void run_round(double *ns, const struct probing *probings)
{
	for (int v = 0; v < N_VARIANTS; v++)
		if (probings[v].is_attached)
			ns[v] = time_calls(v);
}

static void run_rounds(struct bench *b)
{
	double ns[N_VARIANTS] = {};

	for (unsigned i = 0; i < WARM_UP_ROUNDS; i++)
		run_round(ns, b->probings);
	for (unsigned i = 0; i < b->n_rounds; i++) {
		run_round(ns, b->probings);
		for (int v = 0; v < N_VARIANTS; v++)
			b->ns[v][i] = ns[v];
	}
}

static int report_ratio(const struct bench *b, const struct promise *p)
{
	_cleanup_(freep) double *values = memory_alloc(b->n_rounds * sizeof(*values));
	_cleanup_(freep) char *what =
		memory_printf("%s / %s", variant_name(p->of), variant_name(p->to));
	enum variant missing = b->probings[p->of].is_attached ? p->to : p->of;

	if (!b->probings[missing].is_attached) {
		report_skip(what, error_text(&b->probings[missing].missing));
		return 0;
	}
	for (unsigned i = 0; i < b->n_rounds; i++)
		values[i] = (b->ns[p->of][i] - b->ns[BARE][i]) / (b->ns[p->to][i] - b->ns[BARE][i]);
	return report_promise(what, spread_of(values, b->n_rounds), UNIT_RATIO, p->limit);
}

/* The bound below which a share of the durations lie. */
static double duration_below(const struct bank *b, double share)
{
	double n_total = 0, n = 0;
	size_t bound = 0;

	for (size_t i = 0; i <= b->n_bounds; i++)
		for (uint32_t shard = 0; shard < b->n_shards; shard++)
			n_total += (double)bank_cell(b, b->base_slot, shard)[CELL_BUCKETS + i];
	for (; bound < b->n_bounds && n < share * n_total; bound++)
		for (uint32_t shard = 0; shard < b->n_shards; shard++)
			n += (double)bank_cell(b, b->base_slot, shard)[CELL_BUCKETS + bound];
	return (double)bound * FINE_STEP_NS;
}

static void report_floor(const struct probing *p)
{
	struct spread s;

	if (!p->is_attached)
		return;
	s = (struct spread){duration_below(p->bank, 0.25), duration_below(p->bank, 0.5),
		duration_below(p->bank, 0.75)};
	report_figure("duration that an empty call seems to have", s, UNIT_NS);
}

static int report(struct bench *b)
{
	int n_broken = 0;

	for (size_t i = 0; i < ARRAY_SIZE(promises); i++)
		n_broken += report_ratio(b, &promises[i]);
	for (int v = 0; v < N_VARIANTS; v++)
		if (b->probings[v].is_attached)
			report_figure(variant_name(v), spread_of(b->ns[v], b->n_rounds), UNIT_NS);
	report_floor(&b->probings[FINE]);
	return n_broken;
}

int main(int argc, char **argv)
{
	static struct bench b;
	struct shared *shared;
	struct error e = {};
	int n_broken;

	b.n_rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 2000;
	if (b.n_rounds < 1 || b.n_rounds > MAX_ROUNDS)
		fail(argv[1], "not a number of rounds");
	if (shared_new(&shared, N_VARIANTS * VARIANT_SLOTS, &e))
		fail("start", error_text(&e));
	shared_allow_series(shared, N_VARIANTS * VARIANT_SLOTS);
	variants_attach(b.probings, shared);
	run_rounds(&b);
	variants_detach(b.probings, (uint64_t)(WARM_UP_ROUNDS + b.n_rounds) * CALLS);
	n_broken = report(&b);
	for (int v = 0; v < N_VARIANTS; v++)
		bank_free(b.probings[v].bank);
	shared_free(shared);
	return n_broken != 0;
}
