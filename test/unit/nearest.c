// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.h"

#include "base/cleanup.h"
#include "check.h"

static const char *const keys[] = {"name", "metric", "function", "binary", "buckets", "exit"};

static const char *nearest_key(const char *text)
{
	struct nearest n = nearest_to(text);

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		nearest_offer(&n, keys[i]);
	return n.best;
}

static void slips_are_found(void)
{
	static const char *const cases[][2] = {
		{"functoin", "function"},
		{"fucntion", "function"},
		{"func", NULL},
		{"functions", "function"},
		{"FUNCTION", "function"},
		{"binry", "binary"},
		{"binaries", NULL},
		{"binarys", "binary"},
		{"bukets", "buckets"},
		{"exits", "exit"},
		{"xeit", "exit"},
		{"nme", "name"},
		{"nm", NULL},
		{"metrik", "metric"},
		{"matrics", "metric"},
		{"name", "name"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *best = nearest_key(cases[i][0]);

		if (cases[i][1])
			CHECK_STR(best, cases[i][1]);
		else
			CHECK(!best);
	}
}

static void other_names_are_not(void)
{
	CHECK(!nearest_key("usdt"));
	CHECK(!nearest_key("overhead"));
	CHECK(!nearest_key("only"));
	CHECK(!nearest_key("x"));
	CHECK(!nearest_key(""));
}

static void distances_count_edits(void)
{
	static const struct {
		const char *text, *candidate;
		size_t distance;
	} cases[] = {
		{"processCommand", "processCommand", 0},
		{"processcommand", "processCommand", 0},
		{"procesCommand", "processCommand", 1},
		{"porcessCommand", "processCommand", 1},
		{"procesComandd", "processCommand", 3},
		{"processCommandX", "XprocessCommand", 2},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct nearest n = nearest_to(cases[i].text);

		nearest_offer(&n, cases[i].candidate);
		CHECK_INT(n.distance, cases[i].distance);
		CHECK(n.best == cases[i].candidate);
	}
}

static void the_first_of_equals_wins(void)
{
	struct nearest n = nearest_to("binar");

	nearest_offer(&n, "binary");
	nearest_offer(&n, "binars");
	CHECK_STR(n.best, "binary");
	nearest_offer(&n, "binar");
	CHECK_STR(n.best, "binar");
}

static void long_names_are_left_alone(void)
{
	char longest[NEAREST_LONGEST + 2], almost[NEAREST_LONGEST + 2];
	struct nearest n;

	memset(longest, 'a', NEAREST_LONGEST);
	longest[NEAREST_LONGEST] = '\0';
	memcpy(almost, longest, sizeof(almost));
	almost[0] = 'b';
	n = nearest_to(longest);
	nearest_offer(&n, almost);
	CHECK(n.best == almost);

	memcpy(almost + NEAREST_LONGEST, "a", 2);
	n = nearest_to(longest);
	nearest_offer(&n, almost);
	CHECK(!n.best);
	n = nearest_to(almost);
	nearest_offer(&n, longest);
	CHECK(!n.best);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(slips_are_found),
		CHECK_TEST(other_names_are_not),
		CHECK_TEST(distances_count_edits),
		CHECK_TEST(the_first_of_equals_wins),
		CHECK_TEST(long_names_are_left_alone),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
