// SPDX-License-Identifier: Apache-2.0
/* Go's tables: what is read from good ones. */
#include <errno.h>

#include "base/memory.h"

#include "check.h"
#include "go_image.h"

static uint64_t address(uint64_t units)
{
	return IMAGE_CODE + units * GO_UNIT;
}

static int write_down(const struct go_function *f, void *data)
{
	buffer_printf(data, "%d+%d %s%s%s%s\n", (int)((f->address - IMAGE_CODE) / GO_UNIT),
		(int)(f->size / GO_UNIT), f->name, f->is_assembly ? " assembly" : "",
		f->is_wrapper ? " wrapper" : "", f->is_top ? " top" : "");
	return 0;
}

static void check_functions(const struct go_opened *o)
{
	_cleanup_(buffer_deinit) struct buffer text = {};

	CHECK(o->table);
	CHECK(!o->why);
	if (!o->table)
		return;
	CHECK_INT(go_table_each(o->table, write_down, &text), 0);
	CHECK_STR(buffer_text(&text), "0+28 main.first\n"
				      "32+28 main.(*T).second top\n"
				      "64+4 main.sum wrapper\n"
				      "72+4 main.sum assembly\n");
}

static void functions_are_read(void)
{
	_cleanup_(go_image_deinit) struct go_image g = go_image_new();
	_cleanup_(go_opened_deinit) struct go_opened o = go_image_open(&g);

	check_functions(&o);
}

static void sections_are_not_needed(void)
{
	_cleanup_(go_image_deinit) struct go_image g = go_image_new();
	_cleanup_(go_opened_deinit) struct go_opened o = {};

	g.has_no_sections = true;
	o = go_image_open(&g);
	check_functions(&o);
	CHECK_STR(elf_file_unwinds(o.file), "it is written in Go, whose stacks move");
	CHECK_INT(elf_file_stack_use(o.file), ELF_STACK_MOVED);
}

/* One function, in tables of Go 1.16 and 1.17: addresses stand for themselves. */
static void make_old(struct go_image *g)
{
	const size_t record = GO_LIST + 24;

	memset(g->table + GO_LIST, 0, GO_SIZE - GO_LIST);
	memmove(g->table + GO_PARTS - 8, g->table + GO_PARTS, 40);
	go_image_put(g, 0, 0xfffffffa, 4);
	go_image_put(g, GO_COUNT, 1, 8);
	go_image_put(g, GO_LIST, address(0), 8);
	go_image_put(g, GO_LIST + 8, record - GO_LIST, 8);
	go_image_put(g, GO_LIST + 16, address(32), 8);
	go_image_put(g, record, address(0), 8);
	go_image_put(g, record + 8, 1, 4);
	go_image_put(g, record + 20, 1, 4);
	g->module[17] = 2;
	g->module[GO_MAX] = g->module[GO_TEXT_END] = address(32);
}

static void older_releases_are_read_but_keep_no_goroutine(void)
{
	_cleanup_(go_image_deinit) struct go_image g = go_image_new(), old = go_image_new();
	_cleanup_(go_opened_deinit) struct go_opened o = go_image_open(&g), p = {};
	struct go_function f;

	CHECK(go_table_keeps_goroutine(o.table));
	make_old(&old);
	p = go_image_open(&old);
	CHECK_STR(p.why ? p.why : "", "");
	CHECK_INT(go_table_find(p.table, address(0), &f), 0);
	CHECK_STR(f.name, "main.first");
	CHECK_INT(f.size, 28 * GO_UNIT);
	CHECK_INT(go_table_stack_depth(p.table, &f, address(8)), 24);
	CHECK(!go_table_keeps_goroutine(p.table));
}

static void one_is_found_by_where_it_begins(void)
{
	_cleanup_(go_image_deinit) struct go_image g = go_image_new();
	_cleanup_(go_opened_deinit) struct go_opened o = go_image_open(&g);
	static const uint64_t none[] = {1, 31, 33, 80, 100};
	struct go_function f;

	CHECK_INT(go_table_find(o.table, address(32), &f), 0);
	CHECK_STR(f.name, "main.(*T).second");
	CHECK_INT(go_table_find(o.table, address(0), &f), 0);
	CHECK_STR(f.name, "main.first");
	CHECK_INT(go_table_find(o.table, address(72), &f), 0);
	CHECK(f.is_assembly);
	for (size_t i = 0; i < ARRAY_SIZE(none); i++)
		CHECK_INT(go_table_find(o.table, address(none[i]), &f), -ENOENT);
	CHECK_INT(go_table_find(o.table, IMAGE_CODE - 1, &f), -ENOENT);
}

static void the_stack_s_depth_is_known_at_each_instruction(void)
{
	_cleanup_(go_image_deinit) struct go_image g = go_image_new();
	_cleanup_(go_opened_deinit) struct go_opened o = go_image_open(&g);
	static const struct {
		uint64_t at;
		int64_t depth;
	} cases[] = {{32, 0}, {39, 0}, {40, 24}, {55, 24}, {56, 0}, {59, 0}, {60, -1}, {31, -1}};
	struct go_function f;

	CHECK_INT(go_table_find(o.table, address(32), &f), 0);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		CHECK_INT(go_table_stack_depth(o.table, &f, address(cases[i].at)), cases[i].depth);
}

/* Where there is no table, or one that doesn't end, a function goes up to the next. */
static void a_broken_table_of_depths_says_nothing(void)
{
	static const struct {
		uint8_t depths, values[4];
		int size;
		int64_t depth;
	} cases[] = {
		{0, {}, 32, -1}, {GO_SPARE, {2, 4, 2, 0}, 32, 0}, /* a step to the same place */
		{GO_SPARE, {2, 33, 0, 0}, 32, -1},                /* beyond the next function */
		{GO_SPARE, {0x82, 0x80, 0x80, 0x80}, 32, -1},     /* a number without an end */
		{GO_LIST - GO_VALUES, {}, 32, -1},                /* behind the tables */
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(go_image_deinit) struct go_image g = go_image_new();
		_cleanup_(go_opened_deinit) struct go_opened o = {};
		struct go_function f;

		memset(g.table + GO_VALUES + GO_SPARE, 0x80, 16);
		memcpy(g.table + GO_VALUES + GO_SPARE, cases[i].values, 4);
		go_image_put(&g, GO_RECORDS + GO_RECORD_SIZE + GO_DEPTHS, cases[i].depths, 4);
		/* Written in assembler, it isn't one that must fit the code. */
		g.table[GO_RECORDS + GO_RECORD_SIZE + GO_FLAGS] = GO_ASSEMBLY;
		o = go_image_open(&g);
		CHECK_STR(o.why ? o.why : "", "");
		CHECK_INT(go_table_find(o.table, address(32), &f), 0);
		CHECK_INT(f.size, cases[i].size * GO_UNIT);
		CHECK_INT(go_table_stack_depth(o.table, &f, f.address), cases[i].depth);
		CHECK_INT(go_table_stack_depth(o.table, &f, f.address + 5 * GO_UNIT), -1);
	}
}

/* A file for any address: its pointers are relocations, in place there are zeros. */
static void pointers_may_be_relocations(void)
{
	_cleanup_(go_image_deinit) struct go_image g = go_image_new();
	_cleanup_(go_opened_deinit) struct go_opened o = {};
	Elf64_Dyn dynamic[3] = {{.d_tag = DT_RELA, .d_un.d_ptr = GO_MORE_AT}, {.d_tag = DT_RELASZ}};
	uint64_t type = IMAGE_MACHINE == EM_AARCH64 ? R_AARCH64_RELATIVE : R_X86_64_RELATIVE;

	for (size_t i = 0; i < GO_WORDS; i++) {
		Elf64_Rela one = {GO_MODULE_AT + 8 * i, type, (int64_t)g.module[i]};

		if (g.module[i] < IMAGE_CODE)
			continue;
		buffer_append(&g.more, &one, sizeof(one));
		g.module[i] = 0;
	}
	dynamic[1].d_un.d_val = g.more.size;
	buffer_append(&g.more, dynamic, sizeof(dynamic));
	g.n_dynamic = sizeof(dynamic);
	o = go_image_open(&g);
	check_functions(&o);
}

static int write_call(const char *callee, const struct go_function *caller, void *data)
{
	buffer_printf(data, "%s in %s\n", callee, caller->name);
	return 0;
}

static int write_calls(struct go_image *g, struct buffer *text)
{
	_cleanup_(go_opened_deinit) struct go_opened o = go_image_open(g);

	CHECK(o.table);
	return go_table_each_inlined(o.table, write_call, text);
}

static void inlined_calls_are_told(void)
{
	static const char expected[] = "main.twice in main.first\n"
				       "main.(*T).add in main.first\n";
	_cleanup_(go_image_deinit) struct go_image g = go_image_new(), later = go_image_new();
	_cleanup_(buffer_deinit) struct buffer text = {}, again = {};

	CHECK_INT(write_calls(&g, &text), 0);
	CHECK_STR(buffer_text(&text), expected);
	later.module[GO_INLINED] = GO_DATA + GO_NAMES;
	later.module[GO_INLINED_LATER] = GO_DATA + GO_CALLS;
	CHECK_INT(write_calls(&later, &again), 0);
	CHECK_STR(buffer_text(&again), expected);
}

/* Of the second call no instruction is left. */
static void what_was_optimized_away_is_no_call(void)
{
	_cleanup_(go_image_deinit) struct go_image g = go_image_new();
	_cleanup_(buffer_deinit) struct buffer text = {};

	g.table[GO_VALUES + GO_CALL_VALUES + 4] = 0;
	CHECK_INT(write_calls(&g, &text), 0);
	CHECK_STR(buffer_text(&text), "main.twice in main.first\n");
}

static int note_symbol(const struct elf_symbol *s, void *data)
{
	CHECK_INT(s->kind, ELF_FUNCTION);
	CHECK_INT(s->source, ELF_GO);
	CHECK_INT(s->offset, s->address - IMAGE_CODE + IMAGE_CODE_OFFSET);
	buffer_printf(data, "%s\n", s->name);
	return 0;
}

static int write_symbols(struct go_image *g, struct buffer *text)
{
	_cleanup_(go_opened_deinit) struct go_opened o = go_image_open(g);
	_cleanup_(error_deinit) struct error e = {};

	return elf_file_each_symbol(o.file, note_symbol, text, &e);
}

static void a_stripped_file_has_go_s_names(void)
{
	_cleanup_(go_image_deinit) struct go_image g = go_image_new();
	_cleanup_(buffer_deinit) struct buffer text = {};

	memcpy(g.table + GO_NAMES + 1, "m\xc2\xb7n.f\xc2\xb7", 8);
	CHECK_INT(write_symbols(&g, &text), 0);
	CHECK_STR(buffer_text(&text), "m.n.f.st\n"
				      "main.(*T).second\n"
				      "main.sum\n"
				      "main.sum.abi0\n");
}

/* The one that the compiler made is the second where the other is written in Go, too. */
static void a_wrapper_may_be_the_second(void)
{
	_cleanup_(go_image_deinit) struct go_image g = go_image_new();
	_cleanup_(buffer_deinit) struct buffer text = {};

	g.table[GO_RECORDS + 3 * GO_RECORD_SIZE + GO_FLAGS] = 0;
	CHECK_INT(write_symbols(&g, &text), 0);
	CHECK(strstr(buffer_text(&text), "main.sum.abi0\nmain.sum\n"));
}

/* The linker may have written the name once for each. */
static void names_are_the_same_by_their_text(void)
{
	_cleanup_(go_image_deinit) struct go_image g = go_image_new();
	_cleanup_(buffer_deinit) struct buffer text = {};
	size_t other = GO_FILES - sizeof("main.sum");

	strcpy((char *)g.table + other, "main.sum");
	go_image_put(&g, GO_RECORDS + 2 * GO_RECORD_SIZE + GO_NAME, other - GO_NAMES, 4);
	g.table[GO_RECORDS + 3 * GO_RECORD_SIZE + GO_FLAGS] = 0;
	CHECK_INT(write_symbols(&g, &text), 0);
	CHECK(strstr(buffer_text(&text), "main.sum.abi0\nmain.sum\n"));
}

/* Of generic functions' names nothing can be told. */
static void namesakes_keep_their_names(void)
{
	_cleanup_(go_image_deinit) struct go_image g = go_image_new();
	_cleanup_(buffer_deinit) struct buffer text = {};

	g.table[GO_RECORDS + 2 * GO_RECORD_SIZE + GO_ID] = 0;
	g.table[GO_RECORDS + GO_ID] = GO_WRAPPER;
	g.table[GO_RECORDS + 3 * GO_RECORD_SIZE + GO_FLAGS] = 0;
	CHECK_INT(write_symbols(&g, &text), 0);
	CHECK(strstr(buffer_text(&text), "main.sum\nmain.sum\n"));
}

static void check_version(const char *note, size_t n, const char *expected)
{
	_cleanup_(go_image_deinit) struct go_image g = go_image_new();
	_cleanup_(go_opened_deinit) struct go_opened o = {};
	const char *version;

	buffer_append(&g.more, note, n);
	while (g.more.size % 8)
		buffer_putc(&g.more, 0);
	o = go_image_open(&g);
	version = o.table ? go_table_version(o.table) : "no table";
	CHECK_STR(version ? version : "none", expected);
}

static void the_release_is_told(void)
{
	/* The pointers lead to the string behind the note, and that to its text. */
	static const uint64_t pointers[] = {GO_MORE_AT + 32, 0, GO_MORE_AT + 48, 6};
	char note[64] = "\xff Go buildinf:\x08\x02";

	strcpy(note + 32, "\x08go1.23.4");
	check_version(note, sizeof(note), "go1.23.4");
	note[32] = 0;
	check_version(note, sizeof(note), "none");
	strcpy(note + 32, "\x08go1\n23.4");
	check_version(note, sizeof(note), "none");
	check_version(note, 40, "none");
	note[15] = 0;
	memcpy(note + 16, pointers, sizeof(pointers));
	memcpy(note + 48, "go1.17", 6);
	check_version(note, sizeof(note), "go1.17");
	note[16] = 0;
	check_version(note, sizeof(note), "none");
	check_version(NULL, 0, "none");
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(functions_are_read),
		CHECK_TEST(sections_are_not_needed),
		CHECK_TEST(older_releases_are_read_but_keep_no_goroutine),
		CHECK_TEST(one_is_found_by_where_it_begins),
		CHECK_TEST(the_stack_s_depth_is_known_at_each_instruction),
		CHECK_TEST(a_broken_table_of_depths_says_nothing),
		CHECK_TEST(pointers_may_be_relocations),
		CHECK_TEST(inlined_calls_are_told),
		CHECK_TEST(what_was_optimized_away_is_no_call),
		CHECK_TEST(a_stripped_file_has_go_s_names),
		CHECK_TEST(a_wrapper_may_be_the_second),
		CHECK_TEST(names_are_the_same_by_their_text),
		CHECK_TEST(namesakes_keep_their_names),
		CHECK_TEST(the_release_is_told),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
