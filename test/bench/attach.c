// SPDX-License-Identifier: Apache-2.0
/*
 * How long it takes to put probes on many functions and to take them off again, as the exporter
 * does it: applying a plan, loading the programs included. In every round PROGRAM (many.c) runs
 * once, and all counts are compared. What is promised is promised of 1,000 functions where the
 * kernel has uprobe_multi; in perf mode it takes its time over each link.
 *
 *     bench_attach PROGRAM session|multi|perf FUNCTIONS PROBES [ROUNDS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "bench.h"
#include "trace/snapshot.h"

enum { MOST_FUNCTIONS = 1000, CALLS = 10, MAX_ROUNDS = 200 };
enum { ATTACH, DETACH, N_TIMES };

static const struct {
	const char *name;
	double limit_s;
} times[N_TIMES] = {
	[ATTACH] = {"attach", 0.2},
	[DETACH] = {"detach", 0.5},
};

struct bench {
	const char *program;
	enum attach_mode mode;
	struct config *config;
	struct world *world;
	struct error missing; /* why the mode is not to be had here */
	unsigned n_functions, n_probes;
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

static void check_probe(const struct bench *b, const struct probe_reading *p)
{
	if (p->n_series != b->n_functions / b->n_probes || p->n_failed)
		fail("attach", p->failure ? p->failure : "not every function has a site");
	for (size_t i = 0; i < p->n_series; i++)
		if (p->series[i].calls != CALLS || p->series[i].completed != CALLS)
			fail(p->series[i].series->function, "the counts are not exact");
}

static void check_counts(const struct bench *b, struct trace *t)
{
	_cleanup_(snapshot_deinit) struct snapshot s = {};

	trace_lock(t);
	snapshot_take(&s, t);
	for (size_t i = 0; i < b->n_probes; i++)
		check_probe(b, &s.probes[i]);
	trace_unlock(t);
}

static bool run_round(struct bench *b, unsigned round)
{
	_cleanup_(trace_freep) struct trace *t = NULL;
	struct plan *plan;
	struct error e = {};
	double start_ns;

	if (trace_new(&t, b->mode, MOST_FUNCTIONS, &b->missing))
		return false;
	if (plan_resolve(&plan, b->config, &(struct plan_rules){.allows_uretprobes = true},
		    b->world, &e))
		fail("plan", error_text(&e));
	start_ns = now_ns();
	trace_apply(t, plan);
	b->seconds[ATTACH][round] = (now_ns() - start_ns) / 1e9;
	call_all(b->program);
	check_counts(b, t);
	start_ns = now_ns();
	trace_detach(t);
	b->seconds[DETACH][round] = (now_ns() - start_ns) / 1e9;
	return true;
}

static bool is_promised(const struct bench *b)
{
	return b->n_functions == MOST_FUNCTIONS && b->mode != ATTACH_PERF;
}

static int report(struct bench *b, unsigned n_rounds)
{
	int n_broken = 0;

	for (int i = 0; i < N_TIMES; i++) {
		_cleanup_(freep) char *what = memory_printf("%s %u functions, %u probe%s, %s",
			times[i].name, b->n_functions, b->n_probes, b->n_probes > 1 ? "s" : "",
			attach_mode_name(b->mode));
		struct spread s = spread_of(b->seconds[i], n_rounds);

		if (is_promised(b))
			n_broken += report_promise(what, s, UNIT_S, times[i].limit_s);
		else
			report_figure(what, s, UNIT_S);
	}
	return n_broken;
}

static int report_missing(const struct bench *b)
{
	_cleanup_(freep) char *what =
		memory_printf("attach and detach, %s", attach_mode_name(b->mode));

	report_skip(what, error_text(&b->missing));
	return 0;
}

/* Divides the functions among the probes. */
static void configure(struct bench *b)
{
	_cleanup_(buffer_deinit) struct buffer text = {};
	unsigned n_each = b->n_functions / b->n_probes;
	struct error e = {};

	buffer_puts(&text, "probes:\n");
	for (unsigned i = 0; i < b->n_functions; i++) {
		if (i % n_each == 0)
			buffer_printf(&text, "- binary: '%s'\n  function:\n", b->program);
		buffer_printf(&text, "  - many_%03u\n", i);
	}
	if (config_parse(&b->config, "bench", text.data, text.size, &e) ||
		world_new(&b->world, "/proc", &e))
		fail("start", error_text(&e));
}

static bool parse(struct bench *b, unsigned *n_rounds, int argc, char **argv)
{
	if (argc < 5 || attach_mode_parse(argv[2], &b->mode))
		return false;
	b->program = argv[1];
	b->n_functions = (unsigned)atoi(argv[3]);
	b->n_probes = (unsigned)atoi(argv[4]);
	*n_rounds = argc > 5 ? (unsigned)atoi(argv[5]) : 5;
	return b->n_functions && b->n_functions <= MOST_FUNCTIONS && b->n_probes &&
	       b->n_functions % b->n_probes == 0 && *n_rounds && *n_rounds <= MAX_ROUNDS;
}

int main(int argc, char **argv)
{
	static struct bench b;
	unsigned n_rounds, round = 0;

	if (!parse(&b, &n_rounds, argc, argv))
		fail("usage", "bench_attach PROGRAM session|multi|perf FUNCTIONS PROBES [ROUNDS]");
	configure(&b);
	while (round < n_rounds && run_round(&b, round))
		round++;
	world_free(b.world);
	config_free(b.config);
	return (round == n_rounds ? report(&b, n_rounds) : report_missing(&b)) != 0;
}
