// SPDX-License-Identifier: Apache-2.0
/* What Go's tables answer when asked how often functions were inlined, and what they leave open. */
#include <errno.h>

#include "base/memory.h"
#include "elf/inlined.h"

#include "check.h"
#include "go_image.h"

/* The functions of the image, and an address where there is none. */
static uint64_t addresses[] = {IMAGE_CODE, IMAGE_CODE + 32 * GO_UNIT, IMAGE_CODE + 64 * GO_UNIT,
	IMAGE_CODE + 72 * GO_UNIT, IMAGE_CODE + 79 * GO_UNIT};
static char *names[] = {
	"main.twice", "main.(*T).add", "main.new", "main.one[int]", "function_in_c"};
static const struct inlined_question question = {
	addresses, ARRAY_SIZE(addresses), names, ARRAY_SIZE(names)};

/* "-" for what isn't known, by a line for each. */
static void check_answer(struct go_image *g, const char *expected)
{
	_cleanup_(go_opened_deinit) struct go_opened o = go_image_open(g);
	_cleanup_(inlined_answer_deinit) struct inlined_answer a = {};
	_cleanup_(buffer_deinit) struct buffer text = {};

	CHECK(o.table);
	CHECK_INT(inlined_by_go(&a, o.table, &question), 0);
	CHECK_INT(a.n, ARRAY_SIZE(addresses) + ARRAY_SIZE(names));
	for (size_t i = 0; i < a.n; i++) {
		if (a.items[i].is_known)
			buffer_printf(&text, "%u %s\n", a.items[i].n_places,
				a.items[i].callers ? a.items[i].callers : "");
		else
			buffer_puts(&text, "-\n");
	}
	CHECK_STR(buffer_text(&text), expected);
}

/* Has a call lead to a function of the image instead. */
static void call(struct go_image *g, size_t i_call, size_t i_function)
{
	memcpy(g->table + GO_CALLS + i_call * GO_CALL_SIZE + GO_CALLEE,
		g->table + GO_RECORDS + i_function * GO_RECORD_SIZE + GO_NAME, 4);
}

static void functions_and_names_are_known(void)
{
	_cleanup_(go_image_deinit) struct go_image g = go_image_new();

	check_answer(&g, "0 \n0 \n0 \n0 \n-\n"
			 "1 main.first\n1 main.first\n0 \n-\n-\n");
}

static void a_caller_is_named_once(void)
{
	_cleanup_(go_image_deinit) struct go_image g = go_image_new();

	call(&g, 0, 1);
	call(&g, 1, 1);
	check_answer(&g, "0 \n2 main.first\n0 \n0 \n-\n0 \n0 \n0 \n-\n-\n");
}

/* Two functions are called main.sum, one of them by the compiler. */
static void copies_are_not_of_a_wrapper(void)
{
	_cleanup_(go_image_deinit) struct go_image g = go_image_new();

	call(&g, 0, 2);
	check_answer(&g, "0 \n0 \n-\n1 main.first\n-\n0 \n1 main.first\n0 \n-\n-\n");
}

static void of_namesakes_nothing_is_said(void)
{
	_cleanup_(go_image_deinit) struct go_image g = go_image_new();

	call(&g, 0, 2);
	g.table[GO_RECORDS + 2 * GO_RECORD_SIZE + GO_ID] = 0;
	check_answer(&g, "0 \n0 \n-\n-\n-\n0 \n1 main.first\n0 \n-\n-\n");
}

/* Its name has as many bytes as the one that was there. */
static void a_generic_function_is_meant_by_its_bare_name(void)
{
	_cleanup_(go_image_deinit) struct go_image g = go_image_new();
	void *name = memmem(g.table, GO_SIZE, names[1], strlen(names[1]));

	memcpy(name, "main.new[...]", strlen(names[1]));
	check_answer(&g, "0 \n0 \n0 \n0 \n-\n"
			 "1 main.first\n0 \n1 main.first\n-\n-\n");
}

static void tables_without_calls_say_nothing(void)
{
	_cleanup_(go_image_deinit) struct go_image g = go_image_new();
	_cleanup_(go_opened_deinit) struct go_opened o = {};
	_cleanup_(inlined_answer_deinit) struct inlined_answer a = {};

	g.module[GO_INLINED] = 0;
	o = go_image_open(&g);
	CHECK(o.table);
	CHECK_INT(inlined_by_go(&a, o.table, &question), -ENODATA);
	CHECK(!a.items);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(functions_and_names_are_known),
		CHECK_TEST(a_caller_is_named_once),
		CHECK_TEST(copies_are_not_of_a_wrapper),
		CHECK_TEST(of_namesakes_nothing_is_said),
		CHECK_TEST(a_generic_function_is_meant_by_its_bare_name),
		CHECK_TEST(tables_without_calls_say_nothing),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
