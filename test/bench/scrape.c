// SPDX-License-Identifier: Apache-2.0
/*
 * What a scrape of 100,000 series takes of a CPU from the kernel's cells to text: reading the
 * mapped array of a real bank, and rendering what was read. Once as counters, which are the most
 * cells to read, once as the lines of 4,000 histograms. The cells are filled by hand, and the calls
 * read are compared with those written.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "bench.h"
#include "metric/metrics.h"
#include "test/unit/by_hand.h"
#include "trace/state.h"

enum { N_SCRAPES = 41, LIMIT_MS = 50 };

/* One probe with n series, all attached as far as a scrape can tell. */
struct bench {
	struct probe probe;
	struct by_hand by_hand;
	struct bank *bank;
	struct slot *slots;
	struct view_probe view_probe;
	struct view view;
	struct trace trace;
	uint64_t n_calls; /* in all cells */
};

static uint64_t random_number(void)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005 + 1442695040888963407;
	return state >> (34 + (state >> 32) % 30);
}

/* Writes one shard of a slot. Every call has ended. */
static void fill_cell(struct bench *b, uint32_t index)
{
	uint64_t words[CELL_BUCKETS + CELL_MAX_BOUNDS + 1] = {};
	int cells = bpf_object__find_map_fd_by_name(b->bank->object, "cells");

	words[CELL_CALLS] = random_number();
	if (b->bank->is_timed) {
		words[CELL_SUM_NS] = random_number();
		words[CELL_CALLS] = 0;
		for (size_t i = 0; i <= b->bank->n_bounds; i++) {
			words[CELL_BUCKETS + i] = random_number();
			words[CELL_CALLS] += words[CELL_BUCKETS + i];
		}
	}
	b->n_calls += words[CELL_CALLS];
	if (bpf_map_update_elem(cells, &index, words, BPF_ANY))
		fail("filling the cells", "the kernel refused");
}

static void make_bank(struct bench *b, uint32_t n)
{
	struct error e = {};

	if (shared_new(&b->trace.shared, n, &e) ||
		bank_new_plain(&b->bank, b->trace.shared, ATTACH_PERF,
			b->probe.measures & MEASURE_DURATION ? &b->probe.bounds : NULL, 0, n, &e))
		fail("start", error_text(&e));
	for (uint32_t i = 0; i < n * b->bank->n_shards; i++)
		fill_cell(b, i);
}

static void make_series(struct bench *b, uint32_t i)
{
	const char *function = arena_printf(b->by_hand.arena, "namespace::Class::method_%u", i);

	b->slots[i] = (struct slot){.bank = b->bank, .number = i};
	by_hand_series(&b->by_hand, 0, i, "/opt/application/bin/server", function, NULL);
	b->view_probe.series[i] = b->by_hand.plan.probes[0].series[i];
	b->view_probe.slots[i] = (struct view_slot){.slot = &b->slots[i]};
}

static void bench_init(struct bench *b, uint32_t n, unsigned measures)
{
	*b = (struct bench){.probe = {.name = "bench", .measures = measures}};
	b->probe.bounds = default_bounds();
	by_hand_init(&b->by_hand, 1);
	by_hand_probe(&b->by_hand, 0, &b->probe, n, 0);
	make_bank(b, n);
	b->slots = memory_alloc(n * sizeof(*b->slots));
	b->view_probe = (struct view_probe){
		.n_attached = n,
		.series = memory_alloc(n * sizeof(*b->view_probe.series)),
		.slots = memory_alloc(n * sizeof(*b->view_probe.slots)),
		.n_series = n,
		.n_slots = n,
	};
	for (uint32_t i = 0; i < n; i++)
		make_series(b, i);
	b->view = (struct view){&b->view_probe, 1};
	b->trace.plan = &b->by_hand.plan;
	b->trace.view = &b->view;
}

static void bench_deinit(struct bench *b)
{
	free(b->view_probe.series);
	free(b->view_probe.slots);
	free(b->slots);
	bank_free(b->bank);
	shared_free(b->trace.shared);
	by_hand_deinit(&b->by_hand);
}

static void check_calls(const struct bench *b, const struct snapshot *s)
{
	uint64_t n_calls = 0;

	for (size_t i = 0; i < s->probes[0].n_series; i++)
		n_calls += s->probes[0].series[i].calls;
	if (n_calls != b->n_calls)
		fail("scrape", "what was read is not what was written");
}

/* Each into a fresh buffer, as the server needs one. */
static struct spread scrape(struct bench *b)
{
	static const struct self_reading self = {.version = "bench"};
	_cleanup_(metrics_freep) struct metrics *m = NULL;
	_cleanup_(snapshot_deinit) struct snapshot s = {};
	double times_ms[N_SCRAPES];
	size_t size = 0;

	metrics_new(&m, b->trace.plan, NULL);
	for (int i = 0; i < N_SCRAPES; i++) {
		_cleanup_(buffer_deinit) struct buffer text = {};
		double start = spent_ns();

		buffer_reserve(&text, size);
		snapshot_take(&s, &b->trace);
		metrics_render_text(m, &s, &self, &text);
		times_ms[i] = (spent_ns() - start) / 1e6;
		size = text.size;
		check_calls(b, &s);
	}
	return spread_of(times_ms, N_SCRAPES);
}

static int bench(const char *what, uint32_t n, unsigned measures)
{
	struct bench b;
	struct spread s;

	bench_init(&b, n, measures);
	s = scrape(&b);
	bench_deinit(&b);
	return report_promise(what, s, UNIT_MS, LIMIT_MS);
}

int main(void)
{
	int broken = bench("reading and rendering 100,000 counters", 100000, MEASURE_CALLS);

	broken += bench("reading and rendering 4,000 histograms, 100,000 lines", 4000,
		MEASURE_CALLS | MEASURE_DURATION);
	return broken != 0;
}
