// SPDX-License-Identifier: Apache-2.0
/* The parts of the plan room that need no file: names, filters in front of patterns, reasons. */
#include "check.h"

#include <stdlib.h>

#include "plan/hint.h"
#include "plan/matcher.h"
#include "plan/name.h"
#include "plan/reason.h"
#include "plan/rules.h"

static void versions_are_read(void)
{
	static const struct {
		const char *text, *name, *version;
		bool must_be_default;
	} cases[] = {
		{"open", "open", NULL, false},
		{"open@V1", "open", "V1", false},
		{"open@@V1", "open", "V1", true},
		{"@odd", "@odd", NULL, false},
		{"open@", "open", "", false},
		{"", "", NULL, false},
	};
	_cleanup_(arena_freep) struct arena *a = arena_new();

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct wanted_name n = wanted_name_parse(cases[i].text, a);

		CHECK_STR(n.name, cases[i].name);
		CHECK_STR(n.version ? n.version : "-", cases[i].version ? cases[i].version : "-");
		CHECK_INT(n.must_be_default, cases[i].must_be_default);
	}
}

static void clones_are_told(void)
{
	static const struct {
		const char *name;
		enum clone_kind kind;
		size_t n_base;
	} cases[] = {
		{"work", CLONE_NONE, 4},
		{"work.part.0", CLONE_PART, 4},
		{"work.isra.12", CLONE_CHANGED, 4},
		{"work.constprop.0.isra.3", CLONE_CHANGED, 4},
		{"work.lto_priv.1", CLONE_RENAMED, 4},
		{"work.cold", CLONE_COLD, 4},
		{"work.cold.7", CLONE_COLD, 4},
		{"work.part.0.cold", CLONE_COLD, 4},
		{"work.part", CLONE_NONE, 9},
		{"work.part.", CLONE_NONE, 10},
		{"work.colder", CLONE_NONE, 11},
		{".cold", CLONE_NONE, 5},
		{".part.0", CLONE_NONE, 7},
		{"0", CLONE_NONE, 1},
		{"", CLONE_NONE, 0},
		{"main.(*T).part.0", CLONE_PART, 9},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		size_t n_base = 99;

		CHECK_INT(name_clone_kind(cases[i].name, &n_base), cases[i].kind);
		CHECK_INT(n_base, cases[i].n_base);
	}
}

/* What a pattern's matcher knows before it asks the pattern. */
static void literals_are_found(void)
{
	static const struct {
		enum pattern_kind kind;
		const char *text, *head, *inner, *tail;
	} cases[] = {
		{PATTERN_GLOB, "get_*", "get_", "", ""},
		{PATTERN_GLOB, "*_get", "", "", "_get"},
		{PATTERN_GLOB, "*get*", "", "get", ""},
		{PATTERN_GLOB, "a*bc?def*g", "a", "def", "g"},
		{PATTERN_GLOB, "ab[cd]ef", "ab", "", ""},
		{PATTERN_GLOB, "a\\*b", "a", "", ""},
		{PATTERN_GLOB, "*", "", "", ""},
		{PATTERN_REGEX, "^get_", "get_", "", ""},
		{PATTERN_REGEX, "get$", "", "", "get"},
		{PATTERN_REGEX, "^get$", "get", "", ""},
		{PATTERN_REGEX, "get", "", "get", ""},
		{PATTERN_REGEX, "^a(get|set)_x$", "a", "", "_x"},
		{PATTERN_REGEX, "get|set", "", "", ""},
		{PATTERN_REGEX, "gets?", "", "get", ""},
		{PATTERN_REGEX, "gets*x", "", "get", ""},
		{PATTERN_REGEX, "gets+x", "", "get", ""},
		{PATTERN_REGEX, "get{0}abc", "", "abc", ""},
		{PATTERN_REGEX, "[]abc]get[[:alpha:]|]x", "", "get", ""},
		{PATTERN_REGEX, "a\\.bc", "", "a.bc", ""},
		{PATTERN_REGEX, "abc\\wd", "", "abc", ""},
		{PATTERN_REGEX, "^a?bc", "", "bc", ""},
		{PATTERN_REGEX, "(abc[)]d)?ef", "", "ef", ""},
	};
	_cleanup_(arena_freep) struct arena *a = arena_new();

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct pattern p = {cases[i].kind, cases[i].text, NULL};
		struct matcher m;

		matcher_init(&m, &p, a);
		CHECK_STR(m.head, cases[i].head);
		CHECK_STR(m.inner, cases[i].inner);
		CHECK_STR(m.tail, cases[i].tail);
	}
}

static void fill_randomly(char *text, size_t size, const char *alphabet)
{
	size_t n = (size_t)rand() % size;

	for (size_t i = 0; i < n; i++)
		text[i] = alphabet[(size_t)rand() % strlen(alphabet)];
	text[n] = '\0';
}

static unsigned long compare_on_names(const struct pattern *p)
{
	_cleanup_(arena_freep) struct arena *a = arena_new();
	unsigned long n_matches = 0;
	struct matcher m;

	matcher_init(&m, p, a);
	for (int i = 0; i < 50; i++) {
		struct subject s;
		char name[10];

		fill_randomly(name, sizeof(name), "abc._");
		subject_init(&s, name);
		if (matcher_matches(&m, &s) != pattern_matches(p, name)) {
			CHECK(!"a matcher and its pattern differ");
			printf("pattern %s, name %s\n", p->text, name);
		}
		n_matches += pattern_matches(p, name);
	}
	return n_matches;
}

static void matchers_agree_with_globs(void)
{
	unsigned long n_matches = 0;

	srand(1);
	for (int i = 0; i < 20000; i++) {
		char text[8];
		struct pattern p = {PATTERN_GLOB, text, NULL};

		fill_randomly(text, sizeof(text), "abc._**??[]\\-!");
		n_matches += compare_on_names(&p);
	}
	CHECK(n_matches > 10000);
}

static void matchers_agree_with_regular_expressions(void)
{
	unsigned long n_matches = 0;

	srand(2);
	for (int i = 0; i < 20000; i++) {
		char text[10];
		regex_t regex;
		struct pattern p = {PATTERN_REGEX, text, &regex};

		fill_randomly(text, sizeof(text), "abcabc._^$()[]*+?{}012|\\w");
		if (!*text || regcomp(&regex, text, REG_EXTENDED | REG_NOSUB))
			continue;
		n_matches += compare_on_names(&p);
		regfree(&regex);
	}
	CHECK(n_matches > 10000);
}

static void near_names_are_ranked(void)
{
	static const char *const names[] = {"_ZN4shop14processCommandEv", "processCommands",
		"unrelated", "procesCommand", "processCommand2", "processCommandAndReset",
		"procesCommand", "process"};
	_cleanup_(arena_freep) struct arena *a = arena_new();
	struct hints h = {.wanted = "processCommand"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		hints_consider_near(&h, names[i], a);
	CHECK_INT(h.n_near, 3);
	CHECK_STR(h.near[0], "processCommands");
	CHECK_STR(h.near[1], "procesCommand");
	CHECK_STR(h.near[2], "processCommand2");
	h = (struct hints){.wanted = "Command"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		hints_consider_near(&h, names[i], a);
	CHECK_INT(h.n_near, 3);
	CHECK_STR(h.near[0], "procesCommand");
	CHECK_STR(h.near[1], "processCommands");
	CHECK_STR(h.near[2], "processCommand2");
}

static void go_methods_are_near_without_their_package(void)
{
	static const char *const names[] = {"main.(*Server).Handle", "main.(*Client).Close"};
	_cleanup_(arena_freep) struct arena *a = arena_new();
	struct hints h = {.wanted = "(*Servr).Handle"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		hints_consider_near(&h, names[i], a);
	CHECK_INT(h.n_near, 1);
	CHECK_STR(h.near[0], "main.(*Server).Handle");
}

static void implementations_are_told(void)
{
	static const struct {
		const char *name;
		bool is_one;
	} cases[] = {
		{"__memcpy_avx_unaligned", true},
		{"memcpy_generic", true},
		{"memcpy.arch_haswell", true},
		{"fast_memcpy", true},
		{"memcpy.resolver", false},
		{"__resolve_memcpy", false},
		{"memcpys_memcpy_x", true},
		{"memcpy", false},
		{"memcpyx", false},
		{"wmemcpy_x", false},
		{"__memcpy", false},
	};
	_cleanup_(arena_freep) struct arena *a = arena_new();

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct hints h = {.wanted = "memcpy"};

		hints_consider_implementation(&h, cases[i].name, a);
		CHECK_INT(h.implementations.n, cases[i].is_one);
	}
}

static void lists_end(void)
{
	_cleanup_(buffer_deinit) struct buffer b = {};
	struct listing l = {};

	listing_put(&l, &b);
	CHECK_STR(buffer_text(&b), "");
	for (int i = 0; i < LISTING_SHOWN; i++)
		listing_add(&l, "a");
	listing_put(&l, &b);
	CHECK_STR(buffer_text(&b), "a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a");
	buffer_clear(&b);
	listing_add(&l, "a");
	listing_add(&l, "a");
	listing_put(&l, &b);
	CHECK_STR(buffer_text(&b),
		"a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a and 2 more");
}

static void reasons_are_told_once(void)
{
	_cleanup_(arena_freep) struct arena *a = arena_new();
	_cleanup_(reasons_deinit) struct reasons r = {.arena = a};

	CHECK(!reasons_text(&r, a));
	reasons_note(&r, "noted", "a note");
	reasons_trouble(&r, "one", "same");
	reasons_troublef(&r, "number %d", 1);
	reasons_trouble(&r, "two", "same");
	reasons_troublef(&r, "number %d", 1);
	CHECK_STR(reasons_text(&r, a), "one, two: same\nnumber 1\nnoted: a note");
}

static void kernels_are_told_by_their_release(void)
{
	static const struct {
		const char *release;
		bool allows_uretprobes;
	} cases[] = {
		{"6.10.11", true},
		{"6.11.0-29-generic", false},
		{"6.12", false},
		{"6.12.13", false},
		{"6.12.14", true},
		{"6.12.48+deb13-amd64", true},
		{"6.13.0", false},
		{"6.13.2-arch1-1", false},
		{"6.13.3", true},
		{"6.14.0-rc1", true},
		{"5.12.3", true},
		{"7.11.0", true},
		{"", true},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		CHECK_INT(rules_of_release(cases[i].release).allows_uretprobes,
			cases[i].allows_uretprobes);
	CHECK(!rules_of_release("6.18.0").allows_nop5);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(versions_are_read),
		CHECK_TEST(clones_are_told),
		CHECK_TEST(literals_are_found),
		CHECK_TEST(matchers_agree_with_globs),
		CHECK_TEST(matchers_agree_with_regular_expressions),
		CHECK_TEST(near_names_are_ranked),
		CHECK_TEST(go_methods_are_near_without_their_package),
		CHECK_TEST(implementations_are_told),
		CHECK_TEST(lists_end),
		CHECK_TEST(kernels_are_told_by_their_release),
		CHECK_TEST(reasons_are_told_once),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
