// SPDX-License-Identifier: Apache-2.0
/* How large maps are: what a plan promises and a bank takes. */
#include "check.h"

#include "base/cleanup.h"
#include "trace/layout.h"
#include "trace/trace.h"

static uint32_t timed_bytes(size_t n_bounds)
{
	const struct bounds bounds = {NULL, n_bounds};
	struct layout l;

	layout_init_plain(&l, &bounds);
	return l.cell_bytes;
}

static void cells_are_whole_cache_lines(void)
{
	struct layout untimed;

	layout_init_plain(&untimed, NULL);
	CHECK_INT(untimed.cell_bytes, 64);
	CHECK_INT(timed_bytes(1), 64);   /* calls, sum, 2 buckets */
	CHECK_INT(timed_bytes(5), 64);   /* 8 words */
	CHECK_INT(timed_bytes(6), 128);  /* 9 words */
	CHECK_INT(timed_bytes(22), 256); /* 25 words: the default bounds */
	CHECK_INT(timed_bytes(128), 1088);
}

/* As doc/configuration.md has it: 513 words more; of a signed value 1010. */
static void native_buckets_take_what_is_said(void)
{
	struct value value = {.from = {.type = OPERAND_S64, .number = 1}};
	struct probe p = {.bounds = {NULL, 6}, .has_native_histograms = true};
	struct plan_probe probe = {.config = &p};
	struct plan_series s = {.probe = &probe, .measures = MEASURE_CALLS | MEASURE_DURATION};
	struct layout l;

	layout_init(&l, &s);
	CHECK_INT(l.cell_bytes, 66 * 64); /* 9 + 513 words */
	CHECK_INT(layout_buckets(&l), 7 + 513);
	p.values.items = &value;
	p.values.n = 1;
	layout_init(&l, &s);
	CHECK_INT(l.carry.values[0].n_buckets, 1 + 1010);
	s.measures = MEASURE_CALLS;
	p.values.n = 0;
	layout_init(&l, &s);
	CHECK_INT(l.cell_bytes, 64);
}

static void shards_follow_cpus_until_they_cost_too_much(void)
{
	CHECK_INT(layout_shards(10, 256, 1), 1);
	CHECK_INT(layout_shards(10, 256, 2), 2);
	CHECK_INT(layout_shards(10, 256, 3), 4);
	CHECK_INT(layout_shards(10, 256, 128), 128);
	CHECK_INT(layout_shards(1000, 256, 128), 32); /* 8 MB in all */
	CHECK_INT(layout_shards(100000, 256, 128), 1);
}

/* A plan of two probes: three timed series and one of calls alone. */
static void a_plan_needs_the_sum_of_its_banks(void)
{
	uint64_t ns[] = {1000, 2000};
	struct probe configs[] = {{.bounds = {ns, 2}}, {.bounds = {ns, 2}}};
	struct plan_probe probes[] = {{.config = &configs[0]}, {.config = &configs[1]}};
	struct plan_series series[] = {
		{.probe = &probes[0], .measures = MEASURE_CALLS | MEASURE_DURATION},
		{.probe = &probes[0], .measures = MEASURE_CALLS | MEASURE_DURATION},
		{.probe = &probes[1], .measures = MEASURE_CALLS},
		{.probe = &probes[1], .measures = MEASURE_CALLS | MEASURE_DURATION},
	};
	struct plan_series *of_first[] = {&series[0], &series[1]};
	struct plan_series *of_second[] = {&series[2], &series[3]};
	struct plan plan = {.probes = probes, .n_probes = 2, .n_series = 4};

	probes[0].series = of_first;
	probes[1].series = of_second;
	probes[0].n_series = probes[1].n_series = 2;
	CHECK_INT(trace_map_bytes(&plan, 4), 3 * 64 * 4 + 1 * 64 * 4);
	CHECK_INT(trace_map_bytes(&plan, 1), 3 * 64 + 1 * 64);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(cells_are_whole_cache_lines),
		CHECK_TEST(native_buckets_take_what_is_said),
		CHECK_TEST(shards_follow_cpus_until_they_cost_too_much),
		CHECK_TEST(a_plan_needs_the_sum_of_its_banks),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
