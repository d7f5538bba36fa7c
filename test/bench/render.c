// SPDX-License-Identifier: Apache-2.0
/*
 * How long a scrape of 100,000 series takes to render: as counters, and as the lines of 4,000
 * histograms with the default bounds.
 */
#include "bench.h"
#include "metric/metrics.h"
#include "test/unit/by_hand.h"

enum { N_PROBES = 10, N_BOUNDS = 22, N_RENDERS = 41, LIMIT_MS = 50 };

/* 1-2-5 from 1 us to 10 s. */
static void fill_bounds(uint64_t *ns)
{
	uint64_t unit = 1000;

	for (int i = 0; i < N_BOUNDS; i++) {
		ns[i] = unit * ((const uint64_t[]){1, 2, 5})[i % 3];
		if (i % 3 == 2)
			unit *= 10;
	}
}

static void fill_series(struct by_hand *h, size_t probe, size_t i, uint64_t *random)
{
	const struct probe *config = h->plan.probes[probe].config;
	const char *function =
		arena_printf(h->arena, "namespace_of_%zu::Class::method_%zu", probe, i);
	uint64_t *buckets = NULL;

	if (config->measures & MEASURE_DURATION)
		buckets = arena_array(h->arena, N_BOUNDS + 1, sizeof(*buckets));
	for (size_t k = 0; buckets && k <= N_BOUNDS; k++) {
		*random = *random * 6364136223846793005 + 1442695040888963407;
		buckets[k] = *random >> (32 + *random % 32);
	}
	by_hand_series(h, probe, i, "/opt/application/bin/server", function, buckets)->sum_ns =
		*random >> 16;
	h->snapshot.probes[probe].series[i].calls += *random >> 40;
}

static void fill(struct by_hand *h, struct probe *configs, size_t n_series, unsigned measures)
{
	static uint64_t ns[N_BOUNDS];
	uint64_t random = 1;

	fill_bounds(ns);
	by_hand_init(h, N_PROBES);
	for (size_t i = 0; i < N_PROBES; i++) {
		configs[i] = (struct probe){
			.name = arena_printf(h->arena, "probe-%zu", i),
			.measures = measures,
			.bounds = {ns, N_BOUNDS},
		};
		by_hand_probe(h, i, &configs[i], n_series / N_PROBES, 0);
		for (size_t k = 0; k < n_series / N_PROBES; k++)
			fill_series(h, i, k, &random);
	}
}

/* Each into a fresh buffer, as the server needs one. */
static struct spread render(struct by_hand *h)
{
	static const struct self_reading self = {.version = "bench"};
	_cleanup_(metrics_freep) struct metrics *m = NULL;
	double times_ms[N_RENDERS];
	size_t size = 0;

	metrics_new(&m, &h->plan, NULL);
	for (int i = 0; i < N_RENDERS; i++) {
		_cleanup_(buffer_deinit) struct buffer text = {};
		double start = spent_ns();

		buffer_reserve(&text, size);
		metrics_render_text(m, &h->snapshot, &self, &text);
		times_ms[i] = (spent_ns() - start) / 1e6;
		size = text.size;
	}
	return spread_of(times_ms, N_RENDERS);
}

static int bench(const char *what, size_t n_series, unsigned measures)
{
	_cleanup_(by_hand_deinit) struct by_hand h;
	struct probe configs[N_PROBES];

	fill(&h, configs, n_series, measures);
	return report_promise(what, render(&h), UNIT_MS, LIMIT_MS);
}

int main(void)
{
	int broken = bench("rendering 100,000 counters", 100000, MEASURE_CALLS);

	broken += bench("rendering 4,000 histograms, 100,000 lines", 4000,
		MEASURE_CALLS | MEASURE_DURATION);
	return broken != 0;
}
