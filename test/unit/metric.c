// SPDX-License-Identifier: Apache-2.0
/*
 * Each golden case makes a plan and a snapshot by hand; test/golden/metrics/CASE/expected.prom
 * is what a scrape of it says, byte for byte. GOLDEN_UPDATE=1 in the environment writes the files
 * anew; read the difference before committing it.
 */
#include "metric/metrics.h"

#include <stdlib.h>

#include "allocated.h"
#include "by_hand.h"
#include "check.h"

static uint64_t coarse_ns[] = {1000, 5000000, 10000000000};

static const struct self_reading idle = {
	.version = "0.1.0",
	.series_limit = 10000,
	.last_reload_successful = true,
	.last_reload_success_seconds = 1760000000.25,
	.scrape_seconds = 0.0125,
	.cpu_seconds = 1.53,
	.has_process = true,
	.start_time_seconds = 1759999999.5,
	.open_fds = 12,
	.max_fds = 1048576,
	.resident_bytes = 9437184,
	.virtual_bytes = 20971520,
	.virtual_max_bytes = UINT64_MAX,
};

static const struct costs costs = {
	.hit = {[COST_NOP] = 541, [COST_PUSH] = 608, [COST_STEP] = 3885},
	.end = {[EXIT_BY_URETPROBE] = 647, [EXIT_BY_EXITS] = 315},
	.floor = {[EXIT_BY_URETPROBE] = 621, [EXIT_BY_EXITS] = 690},
	.floor_class = COST_PUSH,
	.return_class = COST_STEP,
};

static void read_file(const char *path, struct buffer *out)
{
	_cleanup_(fclosep) FILE *f = fopen(path, "re");
	char bytes[4096];
	size_t n;

	while (f && (n = fread(bytes, 1, sizeof(bytes), f)))
		buffer_append(out, bytes, n);
}

static void check_golden(const char *name, const struct by_hand *h, const struct self_reading *self)
{
	_cleanup_(metrics_freep) struct metrics *m = NULL;
	_cleanup_(buffer_deinit) struct buffer actual = {}, expected = {};
	char path[256];

	snprintf(path, sizeof(path), "%s/%s/expected.prom", GOLDEN_FOLDER, name);
	metrics_new(&m, h->snapshot.plan, NULL);
	metrics_render_text(m, &h->snapshot, self, &actual);
	if (getenv("GOLDEN_UPDATE")) {
		_cleanup_(fclosep) FILE *f = fopen(path, "we");

		CHECK(f && fwrite(actual.data, 1, actual.size, f) == actual.size);
		return;
	}
	read_file(path, &expected);
	CHECK_STR(buffer_text(&actual), buffer_text(&expected));
}

static void without_a_plan_only_the_exporter_speaks(void)
{
	const struct by_hand none = {};
	const struct self_reading just_started = {.version = "0.1.0",
		.series_limit = 10000,
		.last_reload_successful = true,
		/* Known from before; /proc can't be read now. */
		.cpu_seconds = 1,
		.start_time_seconds = 1};

	check_golden("no_plan", &none, &just_started);
}

static void one_probe_has_the_default_families(void)
{
	static const uint64_t buckets[] = {7, 90, 2, 1};
	static const struct probe probe = {.name = "redis",
		.bounds = {coarse_ns, 3},
		.measures = MEASURE_CALLS | MEASURE_DURATION};
	_cleanup_(by_hand_deinit) struct by_hand h;
	struct series_reading *r;

	by_hand_init(&h, 1);
	by_hand_probe(&h, 0, &probe, 1, 1);
	r = by_hand_series(&h, 0, 0, "/usr/bin/redis-server", "processCommand", buckets);
	r->calls = 101;
	r->sum_ns = 12345678901;
	h.plan.probes[0].series[0]->inlined = (struct plan_inlined){true, 3, "main"};
	by_hand_site(&h, 0, 0, "processCommand", EXIT_BY_URETPROBE, NULL);
	h.snapshot.costs = &costs;
	h.snapshot.probes[0].n_by_class[COST_PUSH] = 1;
	h.snapshot.probes[0].overhead_ns = 101 * 1255;
	check_golden("one_probe", &h, &idle);
}

/* Probes 0 and 2 share a prefix: one family, one HELP, although 1 lies between. */
static void a_shared_prefix_is_one_family(void)
{
	static struct label team[] = {{"cluster", "dev"}, {"team", "payments"}};
	static const uint64_t fast[] = {5, 0, 0, 0}, slow[] = {0, 0, 0, 2};
	const struct probe probes[] = {
		{.name = "place",
			.metric = "shop",
			.bounds = {coarse_ns, 3},
			.measures = 7,
			.labels = {team, 2}},
		{.name = "malloc", .measures = MEASURE_CALLS},
		{.name = "cancel",
			.metric = "shop",
			.help = "Orders",
			.bounds = {coarse_ns, 3},
			.measures = 7},
	};
	_cleanup_(by_hand_deinit) struct by_hand h;

	by_hand_init(&h, 3);
	for (size_t i = 0; i < 3; i++)
		by_hand_probe(&h, i, &probes[i], 1, 0);
	by_hand_series(&h, 0, 0, "/opt/shopd", "place", fast)->sum_ns = 1500;
	by_hand_series(&h, 1, 0, "/lib/libc.so.6", "malloc", NULL)->calls = 1000000;
	by_hand_series(&h, 2, 0, "/opt/shopd", "cancel", slow)->in_flight = 3;
	check_golden("shared_prefix", &h, &idle);
}

static void hostile_text_is_escaped(void)
{
	static struct label note[] = {{"note", "a \"quoted\" \\ and\nbroken line"}};
	static const struct probe probe = {.name = "na\"me",
		.help = "back\\slash\nnewline \xff",
		.measures = MEASURE_CALLS,
		.labels = {note, 1}};
	_cleanup_(by_hand_deinit) struct by_hand h;

	by_hand_init(&h, 1);
	by_hand_probe(&h, 0, &probe, 3, 0);
	by_hand_series(&h, 0, 0, "/tmp/\\x", "operator\"\"_kg\u00e9", NULL);
	by_hand_series(&h, 0, 1, "/tmp/\\x", "cut\xc3", NULL);
	by_hand_series(&h, 0, 2, "/tmp/\\x", "cut\xff", NULL);
	check_golden("escapes", &h, &idle);
}

/* Everything that isn't a plain success: waiting, refused, failed, exits that differ, losses. */
static void trouble_is_told(void)
{
	static const uint64_t none[4] = {};
	const struct probe probes[] = {
		{.name = "waiting", .bounds = {coarse_ns, 3}, .measures = 3},
		{.name = "mixed", .bounds = {coarse_ns, 3}, .measures = 3},
		{.name = "calls", .measures = MEASURE_CALLS},
	};
	_cleanup_(by_hand_deinit) struct by_hand h;
	struct probe_reading *r;

	by_hand_init(&h, 3);
	h.snapshot.mode = ATTACH_PERF;
	by_hand_probe(&h, 0, &probes[0], 0, 0);
	h.plan.probes[0].n_targets = 0;
	h.plan.probes[0].reason = "there is no such file";
	h.snapshot.probes[0].is_up = false;

	by_hand_probe(&h, 1, &probes[1], 2, 4);
	by_hand_series(&h, 1, 0, "/opt/app", "timed", none)->calls = 9;
	by_hand_series(&h, 1, 1, "/opt/app", "untimed", NULL)->calls = 4;
	h.plan.probes[1].series[1]->measures = MEASURE_CALLS;
	by_hand_site(&h, 1, 0, "timed", EXIT_BY_URETPROBE, NULL);
	by_hand_site(&h, 1, 1, "untimed", EXIT_BY_NONE, NULL);
	by_hand_site(&h, 1, 2, "gone", EXIT_BY_NONE, "an IFUNC");
	by_hand_site(&h, 1, 3, "late", EXIT_BY_URETPROBE, NULL);
	r = &h.snapshot.probes[1];
	r->is_up = false;
	h.plan.probes[1].reason = "gone: an IFUNC";
	/* As many characters as fit, and then no half of one. */
	r->failure = "\"late\" \xff: "
		     "0123456789012345678901234567890123456789012345678901234567890123456789"
		     "0123456789012345678901234567890123456789012345678901234567890123456789"
		     "0123456789012345678901234567890123456789012345678901234567890123456789"
		     "01234567890123456\u00e9\u00e9";
	r->n_attached = 2;
	r->n_refused = r->n_failed = 1;
	r->missed = 6;
	r->abandoned = 3;
	r->n_by_class[COST_NOP5] = r->n_by_class[COST_STEP] = 1;

	by_hand_probe(&h, 2, &probes[2], 1, 1);
	by_hand_series(&h, 2, 0, "/opt/app", "main", NULL)->calls = 1;
	by_hand_site(&h, 2, 0, "main", EXIT_BY_NONE, NULL);
	check_golden("trouble", &h, &idle);
}

static void extremes_are_exact(void)
{
	static uint64_t ns[] = {1, 250, 1500, 999999999, 1000000000, 86400000000000};
	static const uint64_t buckets[] = {1, 0, 0, 0, 0, 0, UINT64_MAX - 1};
	static const struct probe bounded = {.name = "bounded", .bounds = {ns, 6}, .measures = 3};
	static uint64_t same_ns[] = {
		(1LL << 62) - 1, 1LL << 62, (1LL << 62) + 1, (1LL << 62) + 4096};
	static const uint64_t ones[] = {1, 1, 1, 1, 1};
	static const struct probe unbounded = {.name = "unbounded", .measures = 3};
	static const struct probe same = {.name = "same", .bounds = {same_ns, 4}, .measures = 3};
	_cleanup_(by_hand_deinit) struct by_hand h;

	by_hand_init(&h, 3);
	by_hand_probe(&h, 0, &bounded, 1, 0);
	by_hand_probe(&h, 1, &unbounded, 1, 0);
	by_hand_series(&h, 0, 0, "/b", "f", buckets)->sum_ns = UINT64_MAX;
	by_hand_series(&h, 1, 0, "/b", "g", buckets)->sum_ns = 1;
	by_hand_probe(&h, 2, &same, 1, 0);
	by_hand_series(&h, 2, 0, "/b", "h", ones);
	check_golden("extremes", &h, &idle);
}

/* A reading may leave out series of the plan and come in another order. */
static void series_find_their_labels_in_any_order(void)
{
	static const struct probe probe = {.name = "p", .measures = MEASURE_CALLS};
	_cleanup_(by_hand_deinit) struct by_hand h;
	struct series_reading *series;

	by_hand_init(&h, 1);
	by_hand_probe(&h, 0, &probe, 4, 0);
	for (size_t i = 0; i < 4; i++)
		by_hand_series(&h, 0, i, "/b", ((const char *[]){"a", "b", "c", "d"})[i], NULL)
			->calls = i + 1;
	series = h.snapshot.probes[0].series;
	h.snapshot.probes[0].n_series = 3;
	series[0] = series[3];
	check_golden("order", &h, &idle);
}

static void scrapes_do_not_grow(void)
{
	static const uint64_t buckets[] = {1, 2, 3, 4};
	static const struct probe probe = {.name = "p", .bounds = {coarse_ns, 3}, .measures = 7};
	_cleanup_(by_hand_deinit) struct by_hand h;
	_cleanup_(metrics_freep) struct metrics *m = NULL;
	_cleanup_(buffer_deinit) struct buffer text = {};
	size_t before;

	by_hand_init(&h, 1);
	by_hand_probe(&h, 0, &probe, 1, 0);
	by_hand_series(&h, 0, 0, "/b", "f", buckets)->in_flight = UINT64_MAX;
	metrics_new(&m, &h.plan, NULL);
	metrics_render_text(m, &h.snapshot, &idle, &text);
	before = allocated_bytes();
	CHECK(before > text.size);
	for (int i = 0; i < 10000; i++) {
		buffer_clear(&text);
		metrics_render_text(m, &h.snapshot, &idle, &text);
	}
	CHECK_INT(allocated_bytes(), before);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(without_a_plan_only_the_exporter_speaks),
		CHECK_TEST(one_probe_has_the_default_families),
		CHECK_TEST(a_shared_prefix_is_one_family),
		CHECK_TEST(hostile_text_is_escaped),
		CHECK_TEST(trouble_is_told),
		CHECK_TEST(extremes_are_exact),
		CHECK_TEST(series_find_their_labels_in_any_order),
		CHECK_TEST(scrapes_do_not_grow),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
