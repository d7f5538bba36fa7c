// SPDX-License-Identifier: Apache-2.0
/*
 * What one call of a probed function costs, as ratios within one run.
 *
 * Each way of probing has a function of its own, all alike: they start with push, and do nothing.
 * All stay attached for the whole run, and every round calls each of them a few times, one after
 * the other: a slow spell of the machine then hits all of them, and what lasts shorter than a
 * round is an outlier. The bare call is subtracted, a ratio is taken within a round, and a figure
 * is the median over the rounds. In the end the counts must be exact: a probe that loses calls is
 * no cheap probe.
 *
 *     bench_cost [ROUNDS]
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "bench.h"
#include "bpftrace.h"
#include "trace/bank.h"
#include "trace/kernel.h"

extern const char bpf_empty_start[], bpf_empty_end[];

enum { CALLS = 100, WARM_UP_ROUNDS = 20, MAX_ROUNDS = 40000, FUNCTION_BYTES = 64 };

/* One function for each variant, FUNCTION_BYTES apart: bench_function_0, bench_function_1, ... */
extern const char bench_functions[];
__asm__(".pushsection .text\n"
	".balign 64\n"
	"bench_functions:\n"
	".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8\n"
	".balign 64\n"
	".type bench_function_\\n, @function\n"
	"bench_function_\\n:\n"
#if defined(__x86_64__)
	"	push %rbp\n"
	"	pop %rbp\n"
#else
	"	nop\n"
#endif
	"	ret\n"
	".size bench_function_\\n, . - bench_function_\\n\n"
	".endr\n"
	".popsection\n");

enum { BARE, EMPTY_ENTRY, EMPTY_PAIR, EMPTY_SESSION, ONLY_CALLS, SESSION, MULTI, PERF, BPFTRACE };
enum { N_VARIANTS = BPFTRACE + 1 };

/* How a variant probes its function: with the empty programs, or with those of a bank. */
static const struct variant {
	const char *name;
	enum attach_mode mode;              /* ATTACH_AUTO: not by us */
	const char *entry, *exit, *session; /* empty programs */
	bool is_timed;
} variants[N_VARIANTS] = {
	[BARE] = {"no probe"},
	[EMPTY_ENTRY] = {"empty entry", ATTACH_MULTI, "empty_entry"},
	[EMPTY_PAIR] = {"empty entry + return", ATTACH_MULTI, "empty_entry", "empty_return"},
	[EMPTY_SESSION] = {"empty session", ATTACH_SESSION, NULL, NULL, "empty_session"},
	[ONLY_CALLS] = {"calls alone", ATTACH_SESSION},
	[SESSION] = {"calls + duration, session", ATTACH_SESSION, .is_timed = true},
	[MULTI] = {"calls + duration, multi", ATTACH_MULTI, .is_timed = true},
	[PERF] = {"calls + duration, perf", ATTACH_PERF, .is_timed = true},
	[BPFTRACE] = {"bpftrace hist()"},
};

/* {of, to, at most} */
static const struct promise {
	int of, to;
	double limit;
} promises[] = {
	{SESSION, EMPTY_PAIR, 1.20},
	{ONLY_CALLS, EMPTY_ENTRY, 1.10},
	{SESSION, BPFTRACE, 0.75},
};

struct bench {
	struct shared *shared;
	struct bpf_object *empty;
	struct bank *banks[N_VARIANTS];
	struct link_set links[N_VARIANTS];
	struct bpftrace bpftrace;
	struct error missing[N_VARIANTS]; /* why there is none */
	bool is_attached[N_VARIANTS];
	double ns[N_VARIANTS][MAX_ROUNDS];
	unsigned n_rounds;
};

static const char *function_of(int v)
{
	return bench_functions + v * FUNCTION_BYTES;
}

static double time_calls(int v)
{
	void (*function)(void) = (void (*)(void))(uintptr_t)function_of(v);
	double start_ns = now_ns();

	for (int i = 0; i < CALLS; i++)
		function();
	return (now_ns() - start_ns) / CALLS;
}

static int empty_program(const struct bench *b, const char *name)
{
	return name ? bpf_program__fd(bpf_object__find_program_by_name(b->empty, name)) : -1;
}

static void open_empty(struct bench *b)
{
	LIBBPF_OPTS(bpf_object_open_opts, options, .object_name = "empty");
	const struct {
		const char *name;
		int type;
	} programs[] = {
		{"empty_entry", LINK_UPROBE_MULTI},
		{"empty_return", LINK_UPROBE_MULTI},
		{"empty_session", LINK_UPROBE_SESSION},
	};

	kernel_capture_messages();
	b->empty = bpf_object__open_mem(
		bpf_empty_start, (size_t)(bpf_empty_end - bpf_empty_start), &options);
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++)
		bpf_program__set_expected_attach_type(
			bpf_object__find_program_by_name(b->empty, programs[i].name),
			(enum bpf_attach_type)programs[i].type);
	if (bpf_object__load(b->empty))
		fail("loading the empty programs", kernel_last_message());
}

static void attach(struct bench *b, int v)
{
	const struct variant *variant = &variants[v];
	struct link_programs programs = {variant->mode, empty_program(b, variant->entry),
		empty_program(b, variant->exit), empty_program(b, variant->session)};
	const struct bounds bounds = default_bounds();
	bool is_empty = variant->entry || variant->session;
	uint64_t offset = own_offset(function_of(v)), cookie = (uint64_t)v;
	struct error *e = &b->missing[v];
	int r = 0;

	if (!is_empty)
		r = bank_new(&b->banks[v], b->shared, variant->mode, variant->is_timed, &bounds,
			(uint32_t)v, 1, e);
	if (!r && !is_empty)
		programs = b->banks[v]->programs;
	if (!r)
		r = link_attach(&b->links[v], &programs, "/proc/self/exe", &offset, &cookie, 1, e);
	b->is_attached[v] = !r;
}

static void attach_all(struct bench *b)
{
	for (int v = 0; v < N_VARIANTS; v++)
		if (variants[v].mode)
			attach(b, v);
	b->is_attached[BARE] = true;
	b->is_attached[BPFTRACE] = !bpftrace_start(&b->bpftrace, "bench_function_8");
	if (!b->is_attached[BPFTRACE])
		error_set(&b->missing[BPFTRACE], -ENOENT, "bpftrace does not run here");
}

static void run_rounds(struct bench *b)
{
	for (unsigned i = 0; i < WARM_UP_ROUNDS + b->n_rounds; i++)
		for (int v = 0; v < N_VARIANTS; v++)
			if (b->is_attached[v])
				b->ns[v][i < WARM_UP_ROUNDS ? 0 : i - WARM_UP_ROUNDS] =
					time_calls(v);
}

static void check_counts(const struct bench *b, int v, uint64_t expected)
{
	const struct bank *bank = b->banks[v];
	uint64_t calls = 0, returns = 0;

	for (uint32_t shard = 0; shard < bank->n_shards; shard++) {
		const uint64_t *cell = bank_cell(bank, bank->base_slot, shard);

		calls += cell[CELL_CALLS];
		for (size_t i = 0; bank->is_timed && i <= bank->n_bounds; i++)
			returns += cell[CELL_BUCKETS + i];
	}
	if (calls != expected || (bank->is_timed && returns != expected))
		fail(variants[v].name, "the counts are not exact");
}

static void end_and_check(struct bench *b)
{
	uint64_t n_calls = (uint64_t)(WARM_UP_ROUNDS + b->n_rounds) * CALLS;

	if (b->is_attached[BPFTRACE] && bpftrace_end(&b->bpftrace) != n_calls)
		fail(variants[BPFTRACE].name, "the counts are not exact");
	for (int v = 0; v < N_VARIANTS; v++) {
		link_detach(&b->links[v], NULL);
		if (b->is_attached[v] && b->banks[v])
			check_counts(b, v, n_calls);
		bank_free(b->banks[v]);
	}
}

/* Over the rounds; to < 0: of the time itself, else of the ratio without the bare call. */
static struct spread spread_over_rounds(const struct bench *b, int of, int to)
{
	static double values[MAX_ROUNDS];

	for (unsigned i = 0; i < b->n_rounds; i++)
		values[i] =
			to < 0 ? b->ns[of][i]
			       : (b->ns[of][i] - b->ns[BARE][i]) / (b->ns[to][i] - b->ns[BARE][i]);
	return spread_of(values, b->n_rounds);
}

static int report_ratio(const struct bench *b, const struct promise *p)
{
	_cleanup_(freep) char *what =
		memory_printf("%s / %s", variants[p->of].name, variants[p->to].name);
	int missing = !b->is_attached[p->of] ? p->of : p->to;

	if (b->is_attached[missing])
		return report_promise(
			what, spread_over_rounds(b, p->of, p->to), UNIT_RATIO, p->limit);
	report_skip(what, error_text(&b->missing[missing]));
	return 0;
}

static int report(const struct bench *b)
{
	int n_broken = 0;

	for (int v = 0; v < N_VARIANTS; v++)
		if (b->is_attached[v])
			report_figure(variants[v].name, spread_over_rounds(b, v, -1), UNIT_NS);
	for (size_t i = 0; i < ARRAY_SIZE(promises); i++)
		n_broken += report_ratio(b, &promises[i]);
	return n_broken;
}

int main(int argc, char **argv)
{
	static struct bench b;
	struct error e = {};

	b.n_rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 2000;
	if (b.n_rounds < 1 || b.n_rounds > MAX_ROUNDS)
		fail(argv[1], "not a number of rounds");
	if (shared_new(&b.shared, N_VARIANTS, &e))
		fail("start", error_text(&e));
	open_empty(&b);
	attach_all(&b);
	run_rounds(&b);
	end_and_check(&b);
	bpf_object__close(b.empty);
	shared_free(b.shared);
	return report(&b) != 0;
}
