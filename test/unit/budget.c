// SPDX-License-Identifier: Apache-2.0
/* Who is shed, when, and for how long: looks two seconds apart, at given costs. */
#include "trace/budget.h"

#include <math.h>

#include "check.h"

enum { N = 3 };

static const struct overhead limits = {.per_probe = 0.1, .total = 0.25};

struct scene {
	struct budgets all;
	struct budget budgets[N], *probes[N];
	uint64_t now_ns;
};

static struct scene *scene(void)
{
	static struct scene s;

	s = (struct scene){.now_ns = 5000000000};
	for (int i = 0; i < N; i++)
		s.probes[i] = &s.budgets[i];
	budgets_look(&s.all, s.probes, N, &limits, s.now_ns);
	return &s;
}

/* The seconds pass in looks of two; probes that are not shed cost so many cores meanwhile. */
static void pass(struct scene *s, unsigned seconds, double a, double b, double c)
{
	const double cores[N] = {a, b, c};

	for (unsigned i = 0; i < seconds; i += 2) {
		for (int p = 0; p < N; p++)
			if (!s->budgets[p].is_shed)
				s->budgets[p].overhead_ns += (uint64_t)(cores[p] * 2e9);
		s->now_ns += 2000000000;
		budgets_look(&s->all, s->probes, N, &limits, s->now_ns);
	}
}

static void one_burst_is_let_pass(void)
{
	struct scene *s = scene();

	for (int i = 0; i < 20; i++) {
		pass(s, 2, 3.0, 0, 0);
		pass(s, 2, 0, 0, 0);
	}
	CHECK_INT(s->budgets[0].n_sheddings, 0);
	CHECK(!s->budgets[0].is_shed);
}

static void who_is_above_twice_is_shed(void)
{
	struct scene *s = scene();

	pass(s, 2, 0.11, 0.09, 0);
	CHECK(!s->budgets[0].is_shed);
	pass(s, 2, 0.11, 0.09, 0);
	CHECK(s->budgets[0].is_shed);
	CHECK(s->budgets[0].has_changed);
	CHECK(!s->budgets[0].is_of_total);
	CHECK(fabs(s->budgets[0].cores - 0.11) < 1e-6);
	CHECK_INT(s->budgets[0].n_sheddings, 1);
	pass(s, 2, 0.11, 0.09, 0);
	CHECK(!s->budgets[0].has_changed);
	CHECK(!s->budgets[1].is_shed);
}

static void who_keeps_its_budget_is_never_shed(void)
{
	struct scene *s = scene();

	pass(s, 3600, 0.099, 0.099, 0.05);
	for (int i = 0; i < N; i++)
		CHECK_INT(s->budgets[i].n_sheddings, 0);
}

/* 0.27 cores in all, each within its own: the costliest goes, and that is enough. */
static void the_costliest_goes_for_all(void)
{
	struct scene *s = scene();

	pass(s, 4, 0.08, 0.1, 0.09);
	CHECK(!s->budgets[0].is_shed);
	CHECK(s->budgets[1].is_shed);
	CHECK(s->budgets[1].is_of_total);
	CHECK(!s->budgets[2].is_shed);
	CHECK(fabs(s->all.cores - 0.17) < 1e-6);
}

static void who_is_shed_for_itself_is_not_in_the_total(void)
{
	struct scene *s = scene();

	pass(s, 4, 0.3, 0.1, 0.1);
	CHECK(s->budgets[0].is_shed);
	CHECK(!s->budgets[1].is_shed);
	CHECK(!s->budgets[2].is_shed);
}

/* Seconds from now until the probe's next trial, and until it is shed again. */
static unsigned seconds_shed(struct scene *s)
{
	unsigned seconds = 0;

	while (s->budgets[0].is_shed && seconds < 10000) {
		pass(s, 2, 0, 0, 0);
		seconds += 2;
	}
	return seconds;
}

static void trials_are_ever_farther_apart(void)
{
	static const unsigned expected[] = {30, 60, 120, 240, 480, 900, 900};
	struct scene *s = scene();

	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		pass(s, 4, 1, 0, 0);
		CHECK(s->budgets[0].is_shed);
		CHECK_INT(s->budgets[0].shed_seconds, expected[i]);
		CHECK_INT(seconds_shed(s), expected[i]);
	}
	CHECK_INT(s->budgets[0].n_sheddings, ARRAY_SIZE(expected));
}

static void a_long_good_time_begins_anew(void)
{
	struct scene *s = scene();

	pass(s, 4, 1, 0, 0);
	seconds_shed(s);
	pass(s, 4, 1, 0, 0);
	seconds_shed(s);
	pass(s, 900, 0.01, 0, 0);
	pass(s, 4, 1, 0, 0);
	CHECK_INT(s->budgets[0].shed_seconds, 30);
}

static void who_is_forgiven_begins_anew(void)
{
	struct scene *s = scene();

	pass(s, 4, 1, 0, 0);
	seconds_shed(s);
	pass(s, 4, 1, 0, 0);
	CHECK_INT(s->budgets[0].shed_seconds, 60);
	budget_forgive(&s->budgets[0], s->now_ns);
	CHECK(!s->budgets[0].is_shed);
	pass(s, 4, 1, 0, 0);
	CHECK_INT(s->budgets[0].shed_seconds, 30);
	CHECK_INT(s->budgets[0].n_sheddings, 3);
}

static void without_limits_none_is_shed(void)
{
	static const struct overhead none = {INFINITY, INFINITY};
	struct scene *s = scene();

	for (int i = 0; i < 100; i++) {
		s->budgets[0].overhead_ns += 20000000000;
		s->now_ns += 2000000000;
		CHECK(!budgets_look(&s->all, s->probes, N, &none, s->now_ns));
	}
	CHECK(fabs(s->budgets[0].cores - 10) < 1e-6);
}

/* Two ticks that come at once, after one that was late, are one look. */
static void looks_too_close_are_none(void)
{
	struct scene *s = scene();

	pass(s, 2, 1, 0, 0);
	s->budgets[0].overhead_ns += 1000000000;
	CHECK(!budgets_look(&s->all, s->probes, N, &limits, s->now_ns + 999999999));
	CHECK(!s->budgets[0].is_shed);
	CHECK(budgets_look(&s->all, s->probes, N, &limits, s->now_ns + 1000000000));
	CHECK(s->budgets[0].is_shed);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(one_burst_is_let_pass),
		CHECK_TEST(who_is_above_twice_is_shed),
		CHECK_TEST(who_keeps_its_budget_is_never_shed),
		CHECK_TEST(the_costliest_goes_for_all),
		CHECK_TEST(who_is_shed_for_itself_is_not_in_the_total),
		CHECK_TEST(trials_are_ever_farther_apart),
		CHECK_TEST(a_long_good_time_begins_anew),
		CHECK_TEST(who_is_forgiven_begins_anew),
		CHECK_TEST(without_limits_none_is_shed),
		CHECK_TEST(looks_too_close_are_none),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
