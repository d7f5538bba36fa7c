// SPDX-License-Identifier: Apache-2.0
/*
 * How long it takes to put probes on 1,000 functions and to take them off again, as the exporter
 * does it: applying a plan, loading the programs included. In every round PROGRAM (many.c) runs
 * once, and all counts are compared.
 *
 *     bench_attach PROGRAM MODE [ROUNDS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bench.h"
#include "trace/snapshot.h"

enum { FUNCTIONS = 1000, CALLS = 10, MAX_ROUNDS = 100 };
enum { ATTACH, DETACH, N_TIMES };

static const struct {
	const char *what;
	double limit_s;
} times[N_TIMES] = {
	[ATTACH] = {"attach 1,000 functions", 0.2},
	[DETACH] = {"detach 1,000 functions", 0.5},
};

struct bench {
	const char *program;
	enum attach_mode mode;
	struct config *config;
	struct world *world;
	struct trace *trace;
	double seconds[N_TIMES][MAX_ROUNDS];
};

/* One run of the program, which waits for a line twice. */
static void call_all(const char *program)
{
	_cleanup_(freep) char *command =
		memory_printf("printf '\\n\\n' | '%s' %d >/dev/null", program, CALLS);

	if (system(command))
		fail(program, "it did not end well");
}

static void check_counts(struct trace *t)
{
	_cleanup_(snapshot_deinit) struct snapshot s = {};
	const struct probe_reading *p;

	trace_lock(t);
	snapshot_take(&s, t);
	p = &s.probes[0];
	if (p->n_attached != FUNCTIONS || p->n_series != FUNCTIONS)
		fail("attach", p->failure ? p->failure : "not every function has a site");
	for (size_t i = 0; i < p->n_series; i++)
		if (p->series[i].calls != CALLS || p->series[i].completed != CALLS)
			fail(p->series[i].series->function, "the counts are not exact");
	trace_unlock(t);
}

static void run_round(struct bench *b, unsigned round)
{
	_cleanup_(trace_freep) struct trace *t = NULL;
	struct plan *plan;
	struct error e = {};
	double start_ns;

	if (plan_resolve(&plan, b->config, b->world, &e) || trace_new(&t, b->mode, FUNCTIONS, &e))
		fail("start", error_text(&e));
	start_ns = now_ns();
	trace_apply(t, plan);
	b->seconds[ATTACH][round] = (now_ns() - start_ns) / 1e9;
	call_all(b->program);
	check_counts(t);
	start_ns = now_ns();
	trace_detach(t);
	b->seconds[DETACH][round] = (now_ns() - start_ns) / 1e9;
}

/* Perf mode takes as long as the kernel takes. */
static int report(struct bench *b, unsigned n_rounds)
{
	int n_broken = 0;

	for (int i = 0; i < N_TIMES; i++) {
		_cleanup_(freep) char *what =
			memory_printf("%s, %s", times[i].what, attach_mode_name(b->mode));
		struct spread s = spread_of(b->seconds[i], n_rounds);

		if (b->mode == ATTACH_PERF)
			report_figure(what, s, UNIT_S);
		else
			n_broken += report_promise(what, s, UNIT_S, times[i].limit_s);
	}
	return n_broken;
}

static void configure(struct bench *b)
{
	_cleanup_(freep) char *text =
		memory_printf("probes: [{binary: '%s', function: 'many_*'}]", b->program);
	struct error e = {};

	if (config_parse(&b->config, "bench", text, strlen(text), &e) ||
		world_new(&b->world, "/proc", &e))
		fail("start", error_text(&e));
}

int main(int argc, char **argv)
{
	static struct bench b;
	unsigned n_rounds = argc > 3 ? (unsigned)atoi(argv[3]) : 5;

	if (argc < 3 || attach_mode_parse(argv[2], &b.mode) || n_rounds < 1 ||
		n_rounds > MAX_ROUNDS)
		fail("usage", "bench_attach PROGRAM session|multi|perf [ROUNDS]");
	b.program = argv[1];
	configure(&b);
	for (unsigned i = 0; i < n_rounds; i++)
		run_round(&b, i);
	world_free(b.world);
	config_free(b.config);
	return report(&b, n_rounds) != 0;
}
