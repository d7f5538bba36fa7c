// SPDX-License-Identifier: Apache-2.0
/*
 * How long a scrape of 100,000 series takes to render: as counters, and as the lines of 4,000
 * histograms with the default bounds. Prints the median of N renders of each, and fails above
 * the limit: render [N [LIMIT_MS]]
 */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "metric/metrics.h"
#include "test/unit/by_hand.h"

enum { N_PROBES = 10, N_BOUNDS = 22, MAX_RENDERS = 10000 };

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

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

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The median of n renders, each into a fresh buffer as the server needs one. */
static double render(struct by_hand *h, int n, size_t *out_size)
{
	static double times[MAX_RENDERS];
	static const struct self_reading self = {.version = "bench"};
	_cleanup_(metrics_freep) struct metrics *m = NULL;

	metrics_new(&m, &h->plan);
	*out_size = 0;
	for (int i = 0; i < n; i++) {
		_cleanup_(buffer_deinit) struct buffer text = {};
		double start = now_ms();

		buffer_reserve(&text, *out_size);
		metrics_render_text(m, &h->snapshot, &self, &text);
		times[i] = now_ms() - start;
		*out_size = text.size;
	}
	qsort(times, (size_t)n, sizeof(*times), compare);
	return times[n / 2];
}

static int bench(const char *what, size_t n_series, unsigned measures, int n, double limit_ms)
{
	_cleanup_(by_hand_deinit) struct by_hand h;
	struct probe configs[N_PROBES];
	size_t size;
	double ms;

	fill(&h, configs, n_series, measures);
	ms = render(&h, n, &size);
	printf("%s: %.1f ms, %.1f MB (limit %.0f ms)\n", what, ms, (double)size / 1e6, limit_ms);
	return ms > limit_ms;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 21;
	double limit_ms = argc > 2 ? atof(argv[2]) : 50;
	int failed = 0;

	if (n < 1 || n > MAX_RENDERS)
		return 2;
	failed += bench("100000 counters", 100000, MEASURE_CALLS, n, limit_ms);
	failed += bench("4000 histograms, 100000 lines", 4000, MEASURE_CALLS | MEASURE_DURATION, n,
		limit_ms);
	printf("%d passed, %d failed\n", 2 - failed, failed);
	return failed != 0;
}
