// SPDX-License-Identifier: Apache-2.0
/*
 * The status page of a plan made by hand is test/golden/page/expected.html (from <body> on, so
 * that the style may change), with every text that others control hostile. GOLDEN_UPDATE=1 in the
 * environment writes the file anew.
 */
#include "web/page.h"

#include "by_hand.h"
#include "check.h"
#include "web/quantile.h"

static uint64_t coarse_ns[] = {1000, 1000000, 10000000000};
static const char hostile[] = "</td><script>alert(\"1\" & '2')</script>\xff";

/* A probe that works, one that is in every kind of trouble, one that has no file yet,
 * and one that only counts. */
static void fill(struct by_hand *h)
{
	static const uint64_t fast[] = {80, 15, 5, 0}, slow[] = {0, 0, 0, 3}, none[4] = {};
	static struct target target = {.origin = (char *)hostile};
	static const struct probe good = {.name = "good",
		.binary = "/usr/bin/redis-server",
		.bounds = {coarse_ns, 3},
		.measures = 3};
	static const struct probe bad = {
		.name = hostile, .binary = hostile, .bounds = {coarse_ns, 3}, .measures = 3};
	static const struct probe waiting = {
		.name = "waiting", .binary = "/not/yet", .measures = MEASURE_CALLS};
	static const struct probe calls = {
		.name = "calls", .binary = "/usr/bin/app", .measures = MEASURE_CALLS};
	struct plan_site *site;

	by_hand_init(h, 4);
	by_hand_probe(h, 0, &good, 3, 2);
	by_hand_series(h, 0, 0, "/usr/bin/redis-server", "processCommand", fast)->sum_ns = 4200000;
	by_hand_series(h, 0, 1, "/usr/bin/redis-server", "rdbSave", slow)->sum_ns = 60000000000;
	by_hand_series(h, 0, 2, "/usr/bin/redis-server", "shutdown", none);
	for (size_t i = 0; i < 3; i++)
		h->snapshot.probes[0].series[i].floor_ns = 620;
	by_hand_site(h, 0, 0, "processCommand", EXIT_BY_URETPROBE, NULL)->target = &target;
	site = by_hand_site(h, 0, 1, "rdbSave", EXIT_BY_EXITS, NULL);
	site->target = &target;
	site->exit_reason = "which is no shortcoming";

	by_hand_probe(h, 1, &bad, 1, 2);
	h->plan.probes[1].state = PLAN_PARTLY;
	h->plan.probes[1].reason = "first line\nsecond <line>";
	h->snapshot.probes[1].is_up = false;
	h->snapshot.probes[1].n_refused = 1;
	h->snapshot.probes[1].n_failed = 1;
	h->snapshot.probes[1].failure = hostile;
	by_hand_series(h, 1, 0, hostile, hostile, NULL)->calls = UINT64_MAX;
	site = by_hand_site(h, 1, 0, hostile, EXIT_BY_NONE, hostile);
	site->target = &target;
	site->address = 0x401000;
	site = by_hand_site(h, 1, 1, "longjmps", EXIT_BY_NONE, NULL);
	site->target = &target;
	site->exit_reason = "the file unwinds";

	by_hand_probe(h, 2, &waiting, 0, 0);
	h->plan.probes[2].state = PLAN_WAITING;
	h->plan.probes[2].reason = "no such file";
	h->snapshot.probes[2].is_up = false;

	by_hand_probe(h, 3, &calls, 1, 1);
	by_hand_series(h, 3, 0, "/usr/bin/app", "main", NULL)->calls = 1;
	by_hand_site(h, 3, 0, "main", EXIT_BY_NONE, NULL)->target = &target;
}

static void read_file(const char *path, struct buffer *out)
{
	_cleanup_(fclosep) FILE *f = fopen(path, "re");
	char bytes[4096];
	size_t n;

	while (f && (n = fread(bytes, 1, sizeof(bytes), f)))
		buffer_append(out, bytes, n);
}

static void the_page_is_as_expected(void)
{
	_cleanup_(by_hand_deinit) struct by_hand h;
	_cleanup_(buffer_deinit) struct buffer page = {}, expected = {};
	const char *body;

	fill(&h);
	page_render(&h.snapshot, "0.1.0", "/metrics", &page);
	body = strstr(buffer_text(&page), "<body>");
	CHECK(body != NULL);
	if (getenv("GOLDEN_UPDATE")) {
		_cleanup_(fclosep) FILE *f = fopen(GOLDEN_PAGE, "we");

		CHECK(f && fputs(body, f) >= 0);
		return;
	}
	read_file(GOLDEN_PAGE, &expected);
	CHECK_STR(body, buffer_text(&expected));
}

struct tags {
	char open[32][16];
	size_t n;
};

/* Follows one tag; false when it closes what is not open. */
static bool follow_tag(struct tags *t, const char *tag, size_t size)
{
	if (size >= sizeof(t->open[0]) || t->n == ARRAY_SIZE(t->open))
		return false;
	if (tag[0] != '/') {
		memcpy(t->open[t->n], tag, size);
		t->open[t->n++][size] = '\0';
		return true;
	}
	return t->n && strlen(t->open[t->n - 1]) == size - 1 &&
	       !strncmp(t->open[--t->n], tag + 1, size - 1);
}

static bool is_void(const char *tag, size_t size)
{
	return tag[0] == '!' || (size == 4 && !strncmp(tag, "meta", 4));
}

/* Every element is closed, in order, and no script is among them. */
static bool is_well_formed(const char *html)
{
	struct tags t = {};

	while ((html = strchr(html, '<'))) {
		size_t size = strcspn(++html, " >");

		if (!strncmp(html, "script", 6) ||
			(!is_void(html, size) && !follow_tag(&t, html, size)))
			return false;
		html = strchr(html, '>');
		if (!html)
			return false;
	}
	return t.n == 0;
}

static void elements_are_closed(void)
{
	_cleanup_(by_hand_deinit) struct by_hand h;
	_cleanup_(buffer_deinit) struct buffer page = {};

	fill(&h);
	page_render(&h.snapshot, hostile, hostile, &page);
	CHECK(is_well_formed(buffer_text(&page)));
	CHECK(!is_well_formed("<p><b></p></b>"));
	CHECK(!is_well_formed("<p>"));
	CHECK(!is_well_formed("<script></script>"));
}

static void without_a_plan_there_is_a_page(void)
{
	const struct snapshot none = {};
	_cleanup_(buffer_deinit) struct buffer page = {};

	page_render(&none, "0.1.0", "/metrics", &page);
	CHECK(strstr(buffer_text(&page), "<p>No plan is in force yet.</p>") != NULL);
	CHECK(is_well_formed(buffer_text(&page)));
}

static size_t count(const char *text, const char *part)
{
	size_t n = 0;

	while ((text = strstr(text, part))) {
		n++;
		text += strlen(part);
	}
	return n;
}

static void long_lists_are_cut_and_say_so(void)
{
	static const struct probe probe = {.name = "p", .binary = "/b", .measures = MEASURE_CALLS};
	_cleanup_(by_hand_deinit) struct by_hand h;
	_cleanup_(buffer_deinit) struct buffer page = {};

	by_hand_init(&h, 1);
	by_hand_probe(&h, 0, &probe, 203, 0);
	for (size_t i = 0; i < 203; i++)
		by_hand_series(&h, 0, i, "/b", i < 202 ? "the_function" : "the_last", NULL)->calls =
			i == 202;
	page_render(&h.snapshot, "0.1.0", "/metrics", &page);
	CHECK_INT(count(buffer_text(&page), "<td>the_function</td>"), 199);
	/* What is called is shown. */
	CHECK_INT(count(buffer_text(&page), "<td>the_last</td>"), 1);
	CHECK(strstr(buffer_text(&page), "And 3 more in the metrics.") != NULL);
}

static void quantiles_are_as_prometheus_estimates_them(void)
{
	static uint64_t ns[] = {100, 200, 400};
	static const struct bounds bounds = {ns, 3};
	static const struct {
		uint64_t buckets[4];
		double q;
		bool found;
		double ns;
	} cases[] = {
		{{10, 0, 0, 0}, 0.5, true, 50},
		{{0, 10, 0, 0}, 0.5, true, 150},
		{{0, 0, 10, 0}, 0.25, true, 250},
		{{5, 0, 5, 0}, 0.5, true, 100}, /* on a bound; the empty bucket is passed over */
		{{5, 0, 5, 0}, 0.6, true, 240},
		{{0, 0, 9, 1}, 0.9, true, 400},
		{{0, 0, 9, 1}, 0.99, false, 0},
		{{0, 0, 0, 0}, 0.5, false, 0},
		{{UINT64_MAX, UINT64_MAX, 0, 0}, 0.75, true, 150},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		double estimate = 0;

		CHECK(quantile_estimate(cases[i].buckets, &bounds, cases[i].q, &estimate) ==
			cases[i].found);
		CHECK(estimate > cases[i].ns - 1e-6 && estimate < cases[i].ns + 1e-6);
	}
}

static void durations_have_three_digits(void)
{
	static const struct {
		double ns;
		const char *text;
	} cases[] = {
		{0, "0 ns"},
		{1, "1 ns"},
		{850, "850 ns"},
		{999, "999 ns"},
		{999.6, "1.00 \u00b5s"},
		{1234, "1.23 \u00b5s"},
		{9996, "10.0 \u00b5s"},
		{45600, "45.6 \u00b5s"},
		{99960, "100 \u00b5s"},
		{999600, "1.00 ms"},
		{7e9, "7.00 s"},
		{12345e9, "12345 s"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(buffer_deinit) struct buffer text = {};

		quantile_put_duration(&text, cases[i].ns);
		CHECK_STR(buffer_text(&text), cases[i].text);
	}
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(the_page_is_as_expected),
		CHECK_TEST(elements_are_closed),
		CHECK_TEST(without_a_plan_there_is_a_page),
		CHECK_TEST(long_lists_are_cut_and_say_so),
		CHECK_TEST(quantiles_are_as_prometheus_estimates_them),
		CHECK_TEST(durations_have_three_digits),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
