// SPDX-License-Identifier: Apache-2.0
#include "check.h"

#include <errno.h>
#include <math.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/number.h"

static void doubles_are_shortest(void)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = {
		{0, "0"}, {1, "1"}, {10, "10"}, {100, "100"}, {0.1, "0.1"}, {0.005, "0.005"},
		{1e-4, "0.0001"}, {5e-5, "5e-05"}, {1e-6, "1e-06"}, {2.5e-7, "2.5e-07"},
		{123456, "123456"}, {1e6, "1e+06"}, {1234567, "1.234567e+06"}, {0.3, "0.3"},
		{1.0 / 3, "0.3333333333333333"}, {-2.5, "-2.5"}, {INFINITY, "+Inf"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(buffer_deinit) struct buffer b = {};

		number_put_double(&b, cases[i].value);
		CHECK_STR(buffer_text(&b), cases[i].text);
	}
}

static void seconds_are_exact(void)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} cases[] = {
		{0, "0"}, {1, "0.000000001"}, {1500000000, "1.5"}, {1000000000, "1"},
		{UINT64_MAX, "18446744073.709551615"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(buffer_deinit) struct buffer b = {};

		number_put_seconds(&b, cases[i].ns);
		CHECK_STR(buffer_text(&b), cases[i].text);
	}
}

static void durations_are_read(void)
{
	static const struct {
		const char *text;
		int result;
		uint64_t ns;
	} cases[] = {
		{"250ns", 0, 250}, {"10us", 0, 10000}, {"5ms", 0, 5000000}, {"1.5s", 0, 1500000000},
		{"0.5us", 0, 500}, {"0s", 0, 0}, {"1.0ns", 0, 1}, {"1.05ns", -EINVAL, 0},
		{"0.0001us", -EINVAL, 0}, {"5", -EINVAL, 0}, {"", -EINVAL, 0}, {"s", -EINVAL, 0},
		{"-1s", -EINVAL, 0}, {"1.s", -EINVAL, 0}, {"1..5s", -EINVAL, 0}, {"1m", -EINVAL, 0},
		{"1 s", -EINVAL, 0}, {".5s", -EINVAL, 0}, {"99999999999999999999s", -ERANGE, 0},
		{"9223372037s", -ERANGE, 0}, {"9223372036s", 0, 9223372036000000000},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t ns = 0;

		CHECK_INT(number_parse_duration(cases[i].text, &ns), cases[i].result);
		CHECK_INT(ns, cases[i].ns);
	}
}

static void errors_gain_context(void)
{
	_cleanup_(error_deinit) struct error e = {};

	CHECK_INT(error_set(&e, -ENOENT, "no %s", "file"), -ENOENT);
	CHECK_INT(error_wrap(&e, -ENOENT, "reading %d", 7), -ENOENT);
	CHECK_STR(error_text(&e), "reading 7: no file");
	error_set_errno(&e, -ENOENT, "/x");
	CHECK_STR(error_text(&e), "/x: No such file or directory");
}

static void arena_keeps_what_it_gave(void)
{
	_cleanup_(arena_freep) struct arena *a = arena_new();
	char *texts[1000];

	for (int i = 0; i < 1000; i++)
		texts[i] = arena_printf(a, "text %d", i);
	CHECK_STR(texts[0], "text 0");
	CHECK_STR(texts[999], "text 999");
	CHECK(arena_alloc(a, 5 << 20) != NULL);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(doubles_are_shortest), CHECK_TEST(seconds_are_exact),
		CHECK_TEST(durations_are_read), CHECK_TEST(errors_gain_context),
		CHECK_TEST(arena_keeps_what_it_gave),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
