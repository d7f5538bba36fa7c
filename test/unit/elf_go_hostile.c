// SPDX-License-Identifier: Apache-2.0
/* Go's tables that contradict themselves, the program, or reason: refused, and never guessed at. */
#include <errno.h>

#include "go_image.h"

#include "base/memory.h"

static const char not_found[] = "its Go tables can't be found";
static const char no_module[] = "where its Go code begins can't be told";
static const char broken[] = "its Go tables are broken";
static const char misfit[] = "its Go tables don't fit its code";

/* A value that is put into the table, and what is then said. */
struct spoilt {
	size_t offset;
	uint64_t value;
	size_t size;
	const char *why;
};

static const struct spoilt in_table[] = {
	{0, 0, 4, not_found},
	{0, 0xfffffff2, 4, not_found},
	{0, 0xfffffffb, 4, "it was built by a Go older than 1.16"},
	{4, 1, 1, not_found},
	{6, 3, 1, not_found},
	{7, 4, 1, not_found},
	{GO_COUNT, 0, 8, not_found},
	{GO_COUNT, 1 << 25, 8, not_found},
	{GO_COUNT, UINT64_MAX, 8, not_found},
	{GO_PARTS, GO_FILES, 8, not_found},
	{GO_PARTS + 8, GO_VALUES + 1, 8, not_found},
	{GO_PARTS + 24, GO_LIST + 1, 8, not_found},
	{GO_PARTS + 32, UINT64_MAX, 8, not_found},
	{GO_PARTS, GO_NAMES + 1, 8, no_module},
	{GO_PARTS + 24, GO_VALUES + 1, 8, no_module},
	{GO_PARTS + 32, GO_LIST + 8, 8, no_module},
	{GO_COUNT, GO_N - 1, 8, no_module},
	{GO_COUNT, GO_N + 1, 8, no_module},
	/* The list of functions. */
	{GO_LIST, 4, 4, no_module},
	{GO_LIST + 8 * GO_N, 4, 4, no_module},
	{GO_LIST + 8, 100 * GO_UNIT, 4, broken},
	{GO_LIST + 8, 33 * GO_UNIT, 4, broken},
	{GO_LIST + 12, UINT32_MAX, 4, broken},
	{GO_LIST + 12, GO_SIZE - GO_LIST, 4, broken},
	{GO_LIST + 12, GO_SIZE - GO_LIST - 40, 4, broken}, /* less than a record */
	/* Records. */
	{GO_RECORDS, 1, 4, broken},
	{GO_RECORDS + GO_NAME, UINT32_MAX, 4, broken},
	{GO_RECORDS + GO_NAME, GO_FILES - GO_NAMES, 4, broken},
	{GO_RECORDS + GO_DEPTHS, 3, 4, misfit},
	{GO_RECORDS + GO_DEPTHS, UINT32_MAX, 4, misfit},
	/* Depths: another one, elsewhere, below the entry's. */
	{GO_VALUES + 3, 50, 1, misfit},
	{GO_VALUES + 2, 7, 1, misfit},
	{GO_VALUES + 1, 3, 1, misfit},
};

static void check_table(const struct spoilt *s)
{
	_cleanup_(go_image_deinit) struct go_image g = go_image_new();
	_cleanup_(go_opened_deinit) struct go_opened o = {};
	int before = check_failures;

	go_image_put(&g, s->offset, s->value, s->size);
	o = go_image_open(&g);
	CHECK(!o.table);
	CHECK_STR(o.why, s->why);
	CHECK_STR(elf_file_unwinds(o.file), "it is written in Go, whose stacks move");
	if (check_failures != before)
		printf("  at %zu: %llx\n", s->offset, (unsigned long long)s->value);
}

static void tables_must_be_in_order(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(in_table); i++)
		check_table(&in_table[i]);
}

/* Words of moduledata, by how much they are off, with those that have to agree with them. */
static void moduledata_must_agree(void)
{
	static const struct {
		size_t words[5];
		int64_t by;
		const char *why;
	} cases[] = {
		{{0}, 8, no_module},
		{{1}, 8, no_module},
		{{10}, 8, no_module},
		{{13}, 8, no_module},
		{{16}, 8, no_module},
		{{17}, 1, no_module},
		{{GO_MIN}, GO_UNIT, no_module},
		{{GO_MAX}, -GO_UNIT, no_module},
		{{GO_TEXT}, GO_UNIT, no_module},
		{{GO_TEXT_END}, -1, no_module},
		/* The code elsewhere: outside the segment, or where it doesn't fit. */
		{{GO_TEXT, GO_MIN, GO_MAX, GO_TEXT_END}, 0x1000 - GO_END * GO_UNIT + 1, no_module},
		{{GO_TEXT, GO_MIN, GO_MAX, GO_TEXT_END}, -0x1000, no_module},
		{{GO_TEXT, GO_MIN, GO_MAX, GO_TEXT_END}, GO_DATA - IMAGE_CODE, no_module},
		{{GO_TEXT, GO_MIN, GO_MAX, GO_TEXT_END}, GO_UNIT, misfit},
		{{GO_TEXT, GO_MIN, GO_MAX, GO_TEXT_END}, 32 * GO_UNIT, misfit},
		/* Records that end too early, or behind the file. */
		{{14}, -GO_RECORD_SIZE - 2 * GO_CALL_SIZE, broken},
		{{14}, 1 << 30, broken},
		{{14}, INT64_MAX, no_module},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(go_image_deinit) struct go_image g = go_image_new();
		_cleanup_(go_opened_deinit) struct go_opened o = {};
		int before = check_failures;

		for (size_t w = 0; w < 5 && (!w || cases[i].words[w]); w++)
			g.module[cases[i].words[w]] += (uint64_t)cases[i].by;
		o = go_image_open(&g);
		CHECK(!o.table);
		CHECK_STR(o.why, cases[i].why);
		if (check_failures != before)
			printf("  case %zu\n", i);
	}
}

static int ignore(const char *callee, const struct go_function *caller, void *data)
{
	(void)callee;
	(void)caller;
	(void)data;
	return 0;
}

/* Lists of inlined calls that make no sense aren't read; all else is. */
static void inlined_calls_must_make_sense(void)
{
	static const struct spoilt cases[] = {
		{GO_RECORDS + GO_CALL_INDICES, 1 << 20, 4, ""},
		{GO_RECORDS + GO_CALL_INDICES, GO_CALL_VALUES + 1, 4, ""},
		{GO_RECORDS + GO_CALL_LIST, 1 << 20, 4, ""},
		{GO_RECORDS + GO_CALL_LIST, GO_CALL_SIZE, 4, ""},
		{GO_RECORDS + GO_N_VALUES, UINT32_MAX, 4, ""},
		{GO_CALLS + GO_CALLEE, 2, 4, ""},
		{GO_CALLS + GO_CALLEE, UINT32_MAX, 4, ""},
		{GO_CALLS + GO_CALLEE, GO_FILES - GO_NAMES, 4, ""},
		{GO_CALLS + GO_CALL_AT, 28 * GO_UNIT, 4, ""},
		{GO_VALUES + GO_CALL_VALUES + 2, 0x7e, 1, ""}, /* index 62 */
		{GO_VALUES + GO_CALL_VALUES + 3, 100, 1, ""},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(go_image_deinit) struct go_image g = go_image_new();
		_cleanup_(go_opened_deinit) struct go_opened o = {};
		int before = check_failures;

		go_image_put(&g, cases[i].offset, cases[i].value, cases[i].size);
		o = go_image_open(&g);
		CHECK(o.table);
		CHECK_INT(go_table_each_inlined(o.table, ignore, NULL), -ENODATA);
		if (check_failures != before)
			printf("  case %zu\n", i);
	}
}

/* The last name has no end within the names. */
static void names_end_where_they_should(void)
{
	_cleanup_(go_image_deinit) struct go_image g = go_image_new();
	_cleanup_(go_opened_deinit) struct go_opened o = {};

	go_image_put(&g, GO_RECORDS + GO_NAME, GO_FILES - GO_NAMES - 8, 4);
	memset(g.table + GO_FILES - 8, 'x', 8);
	o = go_image_open(&g);
	CHECK_STR(o.why, broken);
}

/* A program that carries another one as data, which is found first: that one's moduledata points to
 * where its tables would be. */
static void another_s_tables_are_passed_over(void)
{
	_cleanup_(go_image_deinit) struct go_image g = go_image_new(), other = go_image_new();
	_cleanup_(go_opened_deinit) struct go_opened o = {};
	struct go_function f;

	memcpy(other.table + GO_NAMES + 1, "other.first", 11);
	g.has_no_sections = true;
	g.in_front = &other;
	o = go_image_open(&g);
	CHECK(o.table);
	CHECK_INT(o.table ? go_table_find(o.table, IMAGE_CODE, &f) : -1, 0);
	CHECK_STR(f.name, "main.first");
}

/* More of what looks like tables than any program has: an end is put to it. */
static void a_crowd_of_headers_is_refused(void)
{
	_cleanup_(go_image_deinit) struct go_image g = go_image_new();
	_cleanup_(go_opened_deinit) struct go_opened o = {};

	for (size_t i = 0; i < 100000; i++)
		buffer_append(&g.more, g.table, GO_NAMES);
	go_image_put(&g, 0, 0, 8);
	o = go_image_open(&g);
	CHECK(!o.table);
	CHECK_STR(o.why, no_module);
}

/* And as many pointers to the tables. */
static void a_crowd_of_pointers_is_refused(void)
{
	_cleanup_(go_image_deinit) struct go_image g = go_image_new();
	_cleanup_(go_opened_deinit) struct go_opened o = {};

	for (size_t i = 0; i < 100000; i++)
		buffer_append(&g.more, &g.module[0], 8);
	g.module[GO_MIN] = 0;
	o = go_image_open(&g);
	CHECK(!o.table);
	CHECK_STR(o.why, no_module);
}

static void what_is_not_go_s_has_no_tables(void)
{
	_cleanup_(image_deinit) struct image i = image_new();
	_cleanup_(error_deinit) struct error e = {};
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	_cleanup_(closep) int fd = -1;
	const char *why = "";

	image_finish(&i);
	fd = image_write(&i);
	CHECK_INT(elf_file_open(&f, fd, &e), 0);
	CHECK(!elf_file_go(f, &why));
	CHECK(!why);
	elf_file_free(TAKE_PTR(f));
	i.header.e_shoff = i.header.e_shnum = 0;
	image_pwrite(fd, &i.header, sizeof(i.header), 0);
	CHECK_INT(elf_file_open(&f, fd, &e), 0);
	CHECK(!elf_file_go(f, &why));
	CHECK(!why);
}

/* Cut short between being opened and being read. */
static void a_file_may_shrink_meanwhile(void)
{
	_cleanup_(go_image_deinit) struct go_image g = go_image_new();
	_cleanup_(error_deinit) struct error e = {};
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	_cleanup_(closep) int fd = -1;
	const char *why;

	g.has_no_sections = true;
	fd = go_image_write(&g);
	CHECK_INT(elf_file_open(&f, fd, &e), 0);
	CHECK(!ftruncate(fd, IMAGE_CODE_OFFSET + IMAGE_CODE_SIZE + GO_SIZE));
	CHECK(!elf_file_go(f, &why));
	CHECK_STR(why, "its Go tables, if there are any, can't be read");
	CHECK_STR(elf_file_unwinds(f), "it is, or may be, written in Go, whose stacks move");
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(tables_must_be_in_order),
		CHECK_TEST(moduledata_must_agree),
		CHECK_TEST(inlined_calls_must_make_sense),
		CHECK_TEST(names_end_where_they_should),
		CHECK_TEST(another_s_tables_are_passed_over),
		CHECK_TEST(a_crowd_of_headers_is_refused),
		CHECK_TEST(a_crowd_of_pointers_is_refused),
		CHECK_TEST(what_is_not_go_s_has_no_tables),
		CHECK_TEST(a_file_may_shrink_meanwhile),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
