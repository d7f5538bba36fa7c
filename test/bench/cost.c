// SPDX-License-Identifier: Apache-2.0
/*
 * What one call of a probed function costs, as ratios within one run.
 *
 * Every variant is measured in every round, one after the other, so that a slow spell of the
 * machine hits all of them; a figure is the median over the rounds, given with the quartiles.
 * The probed function starts with push, the bare call is subtracted, and after each round the
 * counts must be exact: a probe that loses calls is no cheap probe.
 *
 *     bench_cost [ROUNDS [CALLS]]
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "base/memory.h"
#include "trace/bank.h"
#include "trace/kernel.h"

extern const char bpf_empty_start[], bpf_empty_end[];

void bench_function(void);
__asm__(".pushsection .text\n"
	".balign 64\n"
	".globl bench_function\n"
	".type bench_function, @function\n"
	"bench_function:\n"
#if defined(__x86_64__)
	"	push %rbp\n"
	"	pop %rbp\n"
	"	ret\n"
#else
	"	nop\n"
	"	ret\n"
#endif
	".size bench_function, . - bench_function\n"
	".popsection\n");

enum { MAX_ROUNDS = 101 };

struct context {
	struct shared *shared;
	struct bpf_object *empty;
	uint64_t offset;
	unsigned n_calls;
	pid_t bpftrace;
};

struct variant {
	const char *name;
	int (*attach)(struct context *c, struct link_set *links, struct bank **bank);
	double ns[MAX_ROUNDS];
};

static void fail(const char *what, const char *why)
{
	fprintf(stderr, "bench_cost: %s: %s\n", what, why);
	exit(1);
}

static int find_offset(struct dl_phdr_info *info, size_t size, void *data)
{
	struct context *c = data;
	uintptr_t address = (uintptr_t)bench_function;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + h->p_vaddr;

		if (h->p_type == PT_LOAD && address >= start && address - start < h->p_filesz)
			c->offset = address - start + h->p_offset;
	}
	return 1;
}

static int program(struct context *c, const char *name)
{
	return bpf_program__fd(bpf_object__find_program_by_name(c->empty, name));
}

static int attach(struct context *c, struct link_set *links, const struct link_programs *programs,
	uint32_t slot)
{
	_cleanup_(error_deinit) struct error e = {};
	uint64_t cookie = slot;
	int r = link_attach(links, programs, "/proc/self/exe", &c->offset, &cookie, 1, &e);

	if (r)
		fail("attach", error_text(&e));
	return r;
}

static int attach_nothing(struct context *c, struct link_set *links, struct bank **bank)
{
	(void)c, (void)links, (void)bank;
	return 0;
}

static int attach_empty_entry(struct context *c, struct link_set *links, struct bank **bank)
{
	(void)bank;
	return attach(c, links,
		&(struct link_programs){ATTACH_MULTI, program(c, "empty_entry"), -1, -1}, 0);
}

static int attach_empty_pair(struct context *c, struct link_set *links, struct bank **bank)
{
	(void)bank;
	return attach(c, links,
		&(struct link_programs){
			ATTACH_MULTI, program(c, "empty_entry"), program(c, "empty_return"), -1},
		0);
}

static int attach_empty_session(struct context *c, struct link_set *links, struct bank **bank)
{
	(void)bank;
	return attach(c, links,
		&(struct link_programs){ATTACH_SESSION, -1, -1, program(c, "empty_session")}, 0);
}

/* The default bounds: 1-2-5 from 1 us to 10 s. */
static const struct bounds *default_bounds(void)
{
	static uint64_t ns[22];
	static struct bounds b = {ns, 22};
	uint64_t decade = 1000;

	for (size_t i = 0; i < 22; i++) {
		ns[i] = decade * (i % 3 == 0 ? 1 : i % 3 == 1 ? 2 : 5);
		if (i % 3 == 2)
			decade *= 10;
	}
	return &b;
}

static int attach_metric(struct context *c, struct link_set *links, struct bank **bank,
	enum attach_mode mode, bool is_timed)
{
	_cleanup_(error_deinit) struct error e = {};

	if (bank_new(bank, c->shared, mode, is_timed, default_bounds(), 0, 1, &e))
		fail("bank", error_text(&e));
	return attach(c, links, &(*bank)->programs, 0);
}

static int attach_calls(struct context *c, struct link_set *links, struct bank **bank)
{
	return attach_metric(c, links, bank, ATTACH_SESSION, false);
}

static int attach_session(struct context *c, struct link_set *links, struct bank **bank)
{
	return attach_metric(c, links, bank, ATTACH_SESSION, true);
}

static int attach_multi(struct context *c, struct link_set *links, struct bank **bank)
{
	return attach_metric(c, links, bank, ATTACH_MULTI, true);
}

static int attach_perf(struct context *c, struct link_set *links, struct bank **bank)
{
	return attach_metric(c, links, bank, ATTACH_PERF, true);
}

static double time_calls(unsigned n)
{
	struct timespec start, end;

	clock_gettime(CLOCK_MONOTONIC, &start);
	for (unsigned i = 0; i < n; i++)
		bench_function();
	clock_gettime(CLOCK_MONOTONIC, &end);
	return ((double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec)) /
	       n;
}

/* bpftrace in a process of its own; it is attached once calls have become slow. */
static int attach_bpftrace(struct context *c, struct link_set *links, struct bank **bank)
{
	static const char script[] =
		"uprobe:/proc/%d/exe:bench_function { @start[tid] = nsecs; } "
		"uretprobe:/proc/%d/exe:bench_function /@start[tid]/ "
		"{ @ns = hist(nsecs - @start[tid]); delete(@start[tid]); }";
	_cleanup_(freep) char *text = memory_printf(script, getpid(), getpid());

	(void)links, (void)bank;
	c->bpftrace = fork();
	if (!c->bpftrace) {
		if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
			_exit(126);
		execlp("bpftrace", "bpftrace", "-e", text, NULL);
		_exit(127);
	}
	for (int i = 0; i < 1000; i++) {
		if (waitpid(c->bpftrace, NULL, WNOHANG)) {
			c->bpftrace = 0;
			return -ENOENT;
		}
		/* The fastest of three, so that a call that was merely interrupted proves nothing. */
		if (time_calls(50) > 900 && time_calls(50) > 900 && time_calls(50) > 900)
			return 0;
		usleep(10000);
	}
	return -ETIMEDOUT;
}

static void end_bpftrace(struct context *c)
{
	if (c->bpftrace <= 0)
		return;
	for (int i = 0; i < 100; i++) {
		kill(c->bpftrace, i < 50 ? SIGINT : SIGKILL);
		usleep(100000);
		if (waitpid(c->bpftrace, NULL, WNOHANG))
			break;
	}
	c->bpftrace = 0;
}

static void check_counts(const struct bank *b, unsigned expected)
{
	uint64_t calls = 0, returns = 0;

	for (uint32_t shard = 0; shard < b->n_shards; shard++) {
		const uint64_t *cell = bank_cell(b, 0, shard);

		calls += cell[CELL_CALLS];
		for (size_t i = 0; b->is_timed && i <= b->n_bounds; i++)
			returns += cell[CELL_BUCKETS + i];
	}
	if (calls != expected || (b->is_timed && returns != expected))
		fail("counts", "not exact");
}

static bool run(struct context *c, struct variant *v, unsigned round)
{
	_cleanup_(bank_freep) struct bank *bank = NULL;
	struct link_set links = {};

	if (v->attach(c, &links, &bank))
		return false;
	time_calls(c->n_calls / 10);
	v->ns[round] = time_calls(c->n_calls);
	link_detach(&links);
	end_bpftrace(c);
	if (bank)
		check_counts(bank, c->n_calls + c->n_calls / 10);
	return true;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Quartile q (1, 2, 3) of the ratio of two variants, bare calls subtracted, round by round. */
static double ratio(const struct variant *a, const struct variant *b, const struct variant *bare,
	unsigned n, unsigned q)
{
	double values[MAX_ROUNDS];

	for (unsigned i = 0; i < n; i++)
		values[i] = (a->ns[i] - bare->ns[i]) / (b->ns[i] - bare->ns[i]);
	qsort(values, n, sizeof(*values), compare);
	return values[n * q / 4];
}

static double median(const struct variant *v, unsigned n)
{
	double values[MAX_ROUNDS];

	memcpy(values, v->ns, n * sizeof(*values));
	qsort(values, n, sizeof(*values), compare);
	return values[n / 2];
}

enum { BARE, EMPTY_ENTRY, EMPTY_PAIR, EMPTY_SESSION, CALLS, SESSION, MULTI, PERF, BPFTRACE };

static struct variant variants[] = {
	[BARE] = {"no probe", attach_nothing, {0}},
	[EMPTY_ENTRY] = {"empty entry", attach_empty_entry, {0}},
	[EMPTY_PAIR] = {"empty entry + return", attach_empty_pair, {0}},
	[EMPTY_SESSION] = {"empty session", attach_empty_session, {0}},
	[CALLS] = {"calls alone", attach_calls, {0}},
	[SESSION] = {"calls + duration, session", attach_session, {0}},
	[MULTI] = {"calls + duration, multi", attach_multi, {0}},
	[PERF] = {"calls + duration, perf", attach_perf, {0}},
	[BPFTRACE] = {"bpftrace hist()", attach_bpftrace, {0}},
};

/* The promises: {of, to, at most}. */
static const struct {
	int of, to;
	double limit;
} promises[] = {
	{SESSION, EMPTY_PAIR, 1.20},
	{CALLS, EMPTY_ENTRY, 1.10},
	{SESSION, BPFTRACE, 0.75},
};

static void open_empty(struct context *c)
{
	LIBBPF_OPTS(bpf_object_open_opts, options, .object_name = "empty");

	kernel_capture_messages();
	c->empty = bpf_object__open_mem(
		bpf_empty_start, (size_t)(bpf_empty_end - bpf_empty_start), &options);
	for (int i = 0; i < 2; i++)
		bpf_program__set_expected_attach_type(
			bpf_object__find_program_by_name(
				c->empty, i ? "empty_return" : "empty_entry"),
			(enum bpf_attach_type)LINK_UPROBE_MULTI);
	bpf_program__set_expected_attach_type(
		bpf_object__find_program_by_name(c->empty, "empty_session"),
		(enum bpf_attach_type)LINK_UPROBE_SESSION);
	if (bpf_object__load(c->empty))
		fail("load", kernel_last_message());
}

int main(int argc, char **argv)
{
	unsigned n_rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 21;
	struct context c = {.n_calls = argc > 2 ? (unsigned)atoi(argv[2]) : 20000};
	bool has_bpftrace = true;
	struct error e = {};
	int failed = 0;

	dl_iterate_phdr(find_offset, &c);
	if (shared_new(&c.shared, 16, &e))
		fail("start", error_text(&e));
	open_empty(&c);
	if (n_rounds > MAX_ROUNDS)
		n_rounds = MAX_ROUNDS;
	for (unsigned round = 0; round < n_rounds; round++)
		for (int v = BARE; v <= BPFTRACE; v++)
			if (v != BPFTRACE || has_bpftrace)
				has_bpftrace = run(&c, &variants[v], round) || v != BPFTRACE;
	for (int v = BARE; v <= BPFTRACE; v++)
		printf("%-28s %8.0f ns\n", variants[v].name, median(&variants[v], n_rounds));
	for (size_t i = 0; i < ARRAY_SIZE(promises); i++) {
		const struct variant *of = &variants[promises[i].of], *to = &variants[promises[i].to];
		double q2 = ratio(of, to, &variants[BARE], n_rounds, 2);
		bool is_kept = q2 <= promises[i].limit;

		if (promises[i].to == BPFTRACE && !has_bpftrace)
			continue;
		failed += !is_kept;
		printf("%s / %s: %.3f (%.3f to %.3f), promised <= %.2f: %s\n", of->name, to->name,
			q2, ratio(of, to, &variants[BARE], n_rounds, 1),
			ratio(of, to, &variants[BARE], n_rounds, 3), promises[i].limit,
			is_kept ? "kept" : "BROKEN");
	}
	bpf_object__close(c.empty);
	shared_free(c.shared);
	return failed != 0;
}
