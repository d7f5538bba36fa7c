// SPDX-License-Identifier: Apache-2.0
#include <errno.h>

#include "base/buffer.h"
#include "check.h"
#include "config/config.h"

/* A configuration with one probe whose functions are the list in YAML. */
static int parse(struct config **out, const char *list, struct error *e)
{
	_cleanup_(buffer_deinit) struct buffer b = {};

	buffer_printf(&b, "probes:\n  - binary: /bin/x\n    function: %s\n", list);
	return config_parse(out, "x.yml", buffer_text(&b), b.size, e);
}

static void each_kind_matches_its_way(void)
{
	static const struct {
		const char *list, *name;
		enum pattern_kind kind;
		bool matches, is_exactly;
	} cases[] = {
		{"[get]", "get", PATTERN_NAME, true, true},
		{"[get]", "getX", PATTERN_NAME, false, false},
		{"[get]", "Get", PATTERN_NAME, false, false},
		{"['get*Command']", "getCommand", PATTERN_GLOB, true, false},
		{"['get*Command']", "getXCommand", PATTERN_GLOB, true, false},
		{"['get*Command']", "forgetCommand", PATTERN_GLOB, false, false},
		{"['get*Command']", "get*Command", PATTERN_GLOB, true, true},
		{"['ge?']", "get", PATTERN_GLOB, true, false},
		{"['ge?']", "ge", PATTERN_GLOB, false, false},
		{"['[gs]et']", "set", PATTERN_GLOB, true, false},
		{"['[gs]et']", "[gs]et", PATTERN_GLOB, false, true},
		{"['operator[]']", "operator[]", PATTERN_GLOB, true, true},
		{"['operator[']", "operator[", PATTERN_GLOB, true, true},
		{"['main.(*Server).Handle']", "main.(*Server).Handle", PATTERN_GLOB, true, true},
		{"['/et/']", "forgetCommand", PATTERN_REGEX, true, false},
		{"['/^(get|set)$/']", "set", PATTERN_REGEX, true, false},
		{"['/^(get|set)$/']", "sets", PATTERN_REGEX, false, false},
		{"['/a{2}b+/']", "xaabbx", PATTERN_REGEX, true, false},
		{"['/a{2}b+/']", "a{2}b+", PATTERN_REGEX, false, true},
		{"['/a\\/b/']", "a/b", PATTERN_REGEX, true, false},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(config_freep) struct config *c = NULL;
		_cleanup_(error_deinit) struct error e = {};
		const struct pattern *p;

		CHECK_INT(parse(&c, cases[i].list, &e), 0);
		p = &c->probes[0].functions.items[0];
		CHECK_INT(p->kind, cases[i].kind);
		CHECK_INT(pattern_matches(p, cases[i].name), cases[i].matches);
		CHECK_INT(pattern_is_exactly(p, cases[i].name), cases[i].is_exactly);
	}
}

/* A list of n expressions whose weights are 1000 each: 10 bytes, with 100 copies. */
static void put_expressions(struct buffer *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buffer_puts(list, "\n    - /abcdef{99}/");
}

static void expressions_are_bounded_together(void)
{
	_cleanup_(config_freep) struct config *c = NULL;
	_cleanup_(error_deinit) struct error e = {};
	_cleanup_(buffer_deinit) struct buffer list = {};

	put_expressions(&list, 100);
	CHECK_INT(parse(&c, buffer_text(&list), &e), 0);
	CHECK_INT(c->probes[0].functions.n, 100);

	config_free(TAKE_PTR(c));
	put_expressions(&list, 1);
	CHECK_INT(parse(&c, buffer_text(&list), &e), -EINVAL);
	CHECK_STR(error_text(&e),
		"x.yml:104:7: `function`: the regular expression is too much: all of the file "
		"together are too large\n        - /abcdef{99}/\n          ^");
}

static void hostile_globs_end(void)
{
	_cleanup_(config_freep) struct config *c = NULL;
	_cleanup_(error_deinit) struct error e = {};
	char name[301] = {};

	memset(name, 'a', 300);
	CHECK_INT(parse(&c, "'*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b'", &e), 0);
	CHECK(!pattern_matches(&c->probes[0].functions.items[0], name));
	name[299] = 'b';
	CHECK(pattern_matches(&c->probes[0].functions.items[0], name));
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(each_kind_matches_its_way),
		CHECK_TEST(expressions_are_bounded_together),
		CHECK_TEST(hostile_globs_end),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
