// SPDX-License-Identifier: Apache-2.0
/*
 * Conditions and ranges of 8-bit numbers, compared with what C says of each number. What a message
 * looks like is in test/golden/config.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "check.h"
#include "config/config.h"

/* Numbers of the type, and what lies beyond. */
struct kind {
	const char *name;
	int least, greatest;
};

static const struct kind kinds[] = {
	{"s8", -128, 127},
	{"u8", 0, 255},
	{"bool", 0, 1},
};

static bool less(int a, int b)
{
	return a < b;
}

static bool less_equal(int a, int b)
{
	return a <= b;
}

static bool equal(int a, int b)
{
	return a == b;
}

static const struct {
	const char *text;
	bool (*holds)(int a, int b);
	bool is_turned; /* the opposite */
} comparisons[] = {
	{"<", less, false},
	{"<=", less_equal, false},
	{"==", equal, false},
	{"!=", equal, true},
	{">=", less, true},
	{">", less_equal, true},
};

/* A probe that has the key with that value. */
static int parse(struct config **out, const char *key, const char *value)
{
	_cleanup_(buffer_deinit) struct buffer b = {};

	buffer_printf(&b, "probes: [{binary: /bin/x, function: f, %s: %s}]", key, value);
	return config_parse(out, "x.yml", buffer_text(&b), b.size, NULL);
}

static uint64_t order_of(const struct kind *k, int number)
{
	return operand_order(k->least < 0, (uint64_t)(int64_t)number);
}

static bool condition_holds(const struct condition *c, uint64_t order)
{
	return (order >= c->low && order <= c->high) != c->is_outside;
}

/* How many numbers of the kind it holds for; each as C says. */
static int count_held(const struct kind *k, size_t comparison, int constant)
{
	int n = 0;

	for (int x = k->least; x <= k->greatest; x++)
		n += comparisons[comparison].holds(x, constant) !=
		     comparisons[comparison].is_turned;
	return n;
}

static void check_condition(const struct kind *k, size_t comparison, int constant)
{
	int n = count_held(k, comparison, constant), n_all = k->greatest - k->least + 1;
	_cleanup_(config_freep) struct config *c = NULL;
	char text[64];

	snprintf(text, sizeof(text), "'%s arg1 %s %d'", k->name, comparisons[comparison].text,
		constant);
	CHECK_INT(parse(&c, "only", text), n && n < n_all ? 0 : -EINVAL);
	if (!c)
		return;
	for (int x = k->least; x <= k->greatest; x++)
		CHECK_INT(condition_holds(c->probes[0].only, order_of(k, x)),
			comparisons[comparison].holds(x, constant) !=
				comparisons[comparison].is_turned);
}

/* And where C's answer is the same for all numbers, the condition is refused. */
static void conditions_agree_with_c(void)
{
	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++)
		for (size_t i = 0; i < ARRAY_SIZE(comparisons); i++)
			for (int constant = -130; constant <= 258; constant++)
				check_condition(&kinds[k], i, constant);
}

/* Of a condition: all but one comparison are ranges, too. */
static const char *part_of(const struct partition *p, uint64_t order)
{
	size_t i = 0;

	while (i < p->n_starts && order >= p->starts[i])
		i++;
	return p->texts[i];
}

static void check_partition(const struct partition *p)
{
	for (size_t i = 0; i < p->n_starts; i++) {
		CHECK(p->starts[i] > (i ? p->starts[i - 1] : 0));
		CHECK(!p->texts[i] || !p->texts[i + 1] || strcmp(p->texts[i], p->texts[i + 1]));
		CHECK(p->texts[i] || p->texts[i + 1]);
	}
}

struct named {
	int low, high;
	char text;
};

/* What the last of the ranges says that has x, or otherwise. */
static char named(const struct named *ranges, size_t n, int x, char otherwise)
{
	for (size_t i = 0; i < n; i++)
		if (x >= ranges[i].low && x <= ranges[i].high)
			return ranges[i].text;
	return otherwise;
}

/* Up to 8 ranges with gaps between them, some of the same name. */
static size_t make_ranges(const struct kind *k, struct named *ranges)
{
	int next = k->least + rand() % 3;
	size_t n = 0;

	while (n < 8 && next <= k->greatest) {
		int high = next + rand() % 60;

		ranges[n++] = (struct named){
			next,
			high < k->greatest ? high : k->greatest,
			(char)('a' + rand() % 3),
		};
		next = high + 1 + rand() % 3;
	}
	return n;
}

static void check_ranges(const struct kind *k, char otherwise)
{
	_cleanup_(buffer_deinit) struct buffer b = {};
	_cleanup_(config_freep) struct config *c = NULL;
	struct named ranges[8];
	size_t n = make_ranges(k, ranges);
	const struct partition *p;

	buffer_printf(&b, "{l: {from: %s arg1, ranges: {", k->name);
	for (size_t i = n; i; i--)
		buffer_printf(&b, "%d..%d: %c,", ranges[i - 1].low, ranges[i - 1].high,
			ranges[i - 1].text);
	buffer_printf(&b, otherwise ? "}, otherwise: %c}}" : "}}}", otherwise);
	CHECK_INT(parse(&c, "labels", buffer_text(&b)), 0);
	if (!c)
		return;
	p = &c->probes[0].dynamic.items[0].partition;
	check_partition(p);
	for (int x = k->least; x <= k->greatest; x++) {
		const char *text = part_of(p, order_of(k, x));

		CHECK_INT(text ? text[0] : 0, named(ranges, n, x, otherwise));
	}
}

static void ranges_divide_all_numbers(void)
{
	srand(6);
	for (int i = 0; i < 300; i++)
		check_ranges(&kinds[i % 2], i % 3 ? 'a' : 0);
}

static void text_is_in_one_form(void)
{
	static const struct {
		const char *written, *text;
	} cases[] = {
		{"'s32 return == 0'", "s32 return == 0"},
		{"'  s32	return  ==0'", "s32 return == 0"},
		{"'u8 arg8 [0x10][ -8 ] > 0x1'", "u8 arg8[16][-8] > 0x1"},
		{"'go_string return8 == 0'", NULL},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(config_freep) struct config *c = NULL;

		CHECK_INT(parse(&c, "only", cases[i].written), cases[i].text ? 0 : -EINVAL);
		if (c)
			CHECK_STR(c->probes[0].only->text, cases[i].text);
	}
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(conditions_agree_with_c),
		CHECK_TEST(ranges_divide_all_numbers),
		CHECK_TEST(text_is_in_one_form),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
