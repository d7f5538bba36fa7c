// SPDX-License-Identifier: Apache-2.0
/* Files that are built to hurt: each must end soon, with an error that says what is too much. */
#include <errno.h>

#include "base/buffer.h"
#include "check.h"
#include "config/config.h"

static void check_refused(const struct buffer *text, const char *first_line)
{
	_cleanup_(config_freep) struct config *c = NULL;
	_cleanup_(error_deinit) struct error e = {};
	const char *found;

	CHECK_INT(config_parse(&c, "x.yml", buffer_text(text), text->size, &e), -EINVAL);
	found = error_text(&e);
	CHECK(!strncmp(found, first_line, strlen(first_line)) && found[strlen(first_line)] == '\n');
	if (strncmp(found, first_line, strlen(first_line)))
		printf("it says %.200s\n", found);
}

static void put_repeated(struct buffer *b, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buffer_puts(b, text);
}

static void billion_laughs(void)
{
	_cleanup_(buffer_deinit) struct buffer b = {};

	buffer_puts(&b, "a: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
	for (int i = 1; i < 10; i++) {
		buffer_printf(&b, "a%d: &a%d [", i, i);
		for (int j = 0; j < 10; j++)
			buffer_printf(&b, "*a%d, ", i - 1);
		buffer_puts(&b, "]\n");
	}
	check_refused(&b, "x.yml:6:10: more than 200000 values, with those of aliases");
}

static void many_values(void)
{
	_cleanup_(buffer_deinit) struct buffer b = {};

	buffer_puts(&b, "probes: [");
	put_repeated(&b, "a,", 200000);
	check_refused(&b, "x.yml:1:400004: more than 200000 values, with those of aliases");
}

static void many_anchors(void)
{
	_cleanup_(buffer_deinit) struct buffer b = {};

	buffer_puts(&b, "probes: [");
	for (int i = 0; i < 300; i++)
		buffer_printf(&b, "&a%03d x,", i);
	check_refused(&b, "x.yml:1:2058: more than 256 anchors");
}

static void deep_brackets(void)
{
	_cleanup_(buffer_deinit) struct buffer b = {};

	buffer_puts(&b, "probes: ");
	put_repeated(&b, "[", 1000000);
	check_refused(&b, "x.yml:1:40: nested more than 32 levels deep");
}

static void variables_that_never_end(void)
{
	_cleanup_(buffer_deinit) struct buffer b = {};

	buffer_puts(&b, "probes: \"");
	put_repeated(&b, "${", 1000000);
	buffer_puts(&b, "\"");
	check_refused(&b, "x.yml:1:9: a value may have 4096 bytes at most");
}

static void many_keys(void)
{
	_cleanup_(buffer_deinit) struct buffer b = {};

	for (int i = 0; i < 90000; i++)
		buffer_printf(&b, "key%d: 1\n", i);
	check_refused(&b, "x.yml:1:1: unknown key `key0` in a configuration");
}

/* The made-up names of these are all to be told apart. */
static void many_like_probes(void)
{
	_cleanup_(config_freep) struct config *c = NULL;
	_cleanup_(error_deinit) struct error e = {};
	_cleanup_(buffer_deinit) struct buffer b = {};

	buffer_puts(&b, "probes:\n");
	put_repeated(&b, "- {binary: /a, function: f}\n", 39000);
	CHECK_INT(config_parse(&c, "x.yml", buffer_text(&b), b.size, &e), 0);
	CHECK_INT(c->n_probes, 39000);
	CHECK_STR(c->probes[0].name, "a:f");
	CHECK_STR(c->probes[38999].name, "a:f#39000");
}

/* Whose errors are not all shown, but all found: in a time that doesn't grow with the file's size.
 */
static void many_wrong_operands(void)
{
	_cleanup_(buffer_deinit) struct buffer b = {};

	buffer_puts(&b, "probes:\n");
	put_repeated(
		&b, "- {binary: /a, function: f, only: s32 arg1 ~ 0, errors: s32 arg9}\n", 20000);
	check_refused(&b, "x.yml:2:44: `only`: <, <=, ==, !=, >= or > is expected here");
}

static void many_overlaps(void)
{
	_cleanup_(buffer_deinit) struct buffer b = {};

	buffer_puts(
		&b, "probes:\n- {binary: /a, function: f, labels: {a: {from: u64 arg1, ranges: {");
	for (int i = 0; i < 60000; i++)
		buffer_printf(&b, "%d..60000: a, ", i);
	buffer_puts(&b, "}}}}\n");
	check_refused(&b, "x.yml:2:80: `1..60000` has numbers that `0..60000` in line 2 has, too");
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(billion_laughs),
		CHECK_TEST(many_values),
		CHECK_TEST(many_anchors),
		CHECK_TEST(deep_brackets),
		CHECK_TEST(variables_that_never_end),
		CHECK_TEST(many_keys),
		CHECK_TEST(many_like_probes),
		CHECK_TEST(many_wrong_operands),
		CHECK_TEST(many_overlaps),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
