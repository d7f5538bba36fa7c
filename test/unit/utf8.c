// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include "check.h"

static const char *escape(char c)
{
	return c == '<' ? "&lt;" : c == '\\' ? "/" : NULL;
}

static void lengths_follow_the_standard(void)
{
	static const struct {
		const char *text;
		size_t size;
	} cases[] = {
		{"", 0},
		{"a", 1},
		{"\x7f", 1},
		{"\x80", 0},
		{"\xc1\xbf", 0}, /* overlong */
		{"\xc2\x80", 2},
		{"\xdf\xbf", 2},
		{"\xc3", 0}, /* cut short */
		{"\xe0\x9f\xbf", 0},
		{"\xe0\xa0\x80", 3},
		{"\xed\x9f\xbf", 3},
		{"\xed\xa0\x80", 0}, /* surrogate */
		{"\xee\x80\x80", 3},
		{"\xef\xbf\xbf", 3},
		{"\xe2\x82", 0},
		{"\xf0\x8f\xbf\xbf", 0},
		{"\xf0\x90\x80\x80", 4},
		{"\xf4\x8f\xbf\xbf", 4},
		{"\xf4\x90\x80\x80", 0}, /* past U+10FFFF */
		{"\xf5\x80\x80\x80", 0},
		{"\xf1\x80\x80", 0},
		{"\xff", 0},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		CHECK_INT(utf8_sequence_size(cases[i].text), cases[i].size);
}

static void bad_bytes_are_spelt_out(void)
{
	_cleanup_(buffer_deinit) struct buffer b = {};

	CHECK(!utf8_put(&b, "a\xff\xe2\x82<\xc3\xa9", escape));
	CHECK_STR(buffer_text(&b), "a/xff/xe2/x82&lt;\u00e9");
}

static void good_text_is_kept(void)
{
	_cleanup_(buffer_deinit) struct buffer b = {};

	CHECK(utf8_put(&b, "<\u00e9\U0001F600>", NULL));
	CHECK(!utf8_put(&b, "\x80", NULL));
	CHECK_STR(buffer_text(&b), "<\u00e9\U0001F600>\\x80");
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(lengths_follow_the_standard),
		CHECK_TEST(bad_bytes_are_spelt_out),
		CHECK_TEST(good_text_is_kept),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
