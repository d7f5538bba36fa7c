// SPDX-License-Identifier: Apache-2.0
/* Files made to hurt, and files that are large: bounded time and memory, and a clear answer. */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "elf/file.h"

#include "check.h"
#include "elf_image.h"

static int count_symbol(const struct elf_symbol *s, void *data)
{
	size_t *n = data;

	CHECK(s->name[0]);
	++*n;
	return 0;
}

/* Walks over the file's symbols and asks all else there is to ask. */
static int walk(int fd, size_t *n, struct error *e)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	int r = elf_file_open(&f, fd, e);

	if (r)
		return r;
	r = elf_file_each_symbol(f, count_symbol, n, e);
	elf_file_unwinds(f);
	return r;
}

static void check_broken(struct image *i, const char *expected)
{
	_cleanup_(closep) int fd = image_write(i);
	_cleanup_(error_deinit) struct error e = {};
	size_t n = 0;

	CHECK_INT(walk(fd, &n, &e), -ENOEXEC);
	CHECK_STR(error_text(&e), expected);
}

/* An image with one symbol; its table's header. */
static Elf64_Shdr *one_symbol(struct image *i)
{
	struct image_symbols t = {};
	Elf64_Shdr *s;

	image_function(&t, "f", IMAGE_CODE, 4);
	s = image_table(i, SHT_SYMTAB, &t);
	image_finish(i);
	return s;
}

static void broken_symbol_tables_are_refused(void)
{
	_cleanup_(image_deinit) struct image i = image_new();
	Elf64_Shdr *s = one_symbol(&i), good = *s;

	s->sh_entsize = 0;
	check_broken(&i, "broken: its symbol table makes no sense");
	*s = good;
	s->sh_link = IMAGE_TEXT;
	check_broken(&i, "broken: its names are not in a string table");
	s->sh_link = UINT32_MAX;
	check_broken(&i, "broken: its names are not in a string table");
	*s = good;
	s->sh_size = UINT64_MAX;
	check_broken(&i, "its symbol table is too large");
	s->sh_size = 1 << 20;
	check_broken(&i, "truncated: it ends before its symbols do");
	*s = good;
	s->sh_offset = UINT64_MAX;
	check_broken(&i, "truncated: it ends before its symbols do");
	*s = good;
	s[1].sh_size = UINT64_MAX;
	check_broken(&i, "its string table is too large");
	s[1].sh_size = 1 << 20;
	check_broken(&i, "truncated: it ends before its names do");
}

static void a_name_outside_its_table_is_no_name(void)
{
	_cleanup_(image_deinit) struct image i = image_new();
	Elf64_Shdr *s = one_symbol(&i);
	_cleanup_(error_deinit) struct error e = {};
	_cleanup_(closep) int fd = -1;
	uint32_t name = UINT32_MAX;
	size_t n = 0;

	fd = image_write(&i);
	CHECK_INT(walk(fd, &n, &e), 0);
	CHECK_INT(n, 1);
	image_pwrite(fd, &name, sizeof(name), s->sh_offset);
	CHECK_INT(walk(fd, &n, &e), 0);
	CHECK_INT(n, 1);
}

/* A string table that does not end in NUL, as the last thing in the file. */
static void names_end_where_the_table_does(void)
{
	_cleanup_(image_deinit) struct image i = image_new();
	Elf64_Shdr *s = one_symbol(&i);
	_cleanup_(error_deinit) struct error e = {};
	_cleanup_(closep) int fd = -1;
	size_t n = 0;

	s[1].sh_offset = i.header.e_shoff + i.header.e_shnum * sizeof(*s);
	s[1].sh_size = 2;
	fd = image_write(&i);
	image_pwrite(fd, "xf", 2, s[1].sh_offset);
	CHECK_INT(walk(fd, &n, &e), 0);
	CHECK_INT(n, 1);
}

/* 10,000 symbols that share a name of 100,000 bytes: a gigabyte to look at, if one did. */
static void overlapping_names_are_refused(void)
{
	_cleanup_(image_deinit) struct image i = image_new();
	_cleanup_(freep) char *name = calloc(1, 100001);
	struct image_symbols t = {};
	Elf64_Sym symbol;

	memset(name, 'x', 100000);
	image_function(&t, name, IMAGE_CODE, 4);
	memcpy(&symbol, t.entries.data, sizeof(symbol));
	for (int s = 1; s < 10000; s++)
		buffer_append(&t.entries, &symbol, sizeof(symbol));
	image_table(&i, SHT_SYMTAB, &t);
	image_finish(&i);
	check_broken(&i, "broken: its symbols' names overlap");
}

/* Lists of versions that lead in circles, backwards, or out of their sections. */
static void version_lists_end(void)
{
	static const uint32_t steps[] = {0, 1, 4, 20, UINT32_MAX - 19, UINT32_MAX};

	for (size_t n = 0; n < ARRAY_SIZE(steps); n++) {
		_cleanup_(image_deinit) struct image i = image_new();
		_cleanup_(error_deinit) struct error e = {};
		_cleanup_(closep) int fd = -1;
		struct image_symbols t = {};
		uint32_t words[64];
		size_t count = 0;

		for (size_t w = 0; w < ARRAY_SIZE(words); w++)
			words[w] = steps[n];
		image_function(&t, "f", IMAGE_CODE, 4);
		image_table(&i, SHT_DYNSYM, &t);
		image_section(&i, ".gnu.version", SHT_GNU_versym, words, sizeof(words));
		image_section(&i, ".gnu.version_d", SHT_GNU_verdef, words, sizeof(words));
		image_section(&i, ".gnu.version_r", SHT_GNU_verneed, words, sizeof(words));
		image_finish(&i);
		fd = image_write(&i);
		CHECK_INT(walk(fd, &count, &e), 0);
		CHECK_INT(count, 1);
	}
}

/* Opened whole, and cut short before it is walked over. */
static void a_file_may_shrink_meanwhile(void)
{
	_cleanup_(image_deinit) struct image i = image_new();
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	_cleanup_(error_deinit) struct error e = {};
	_cleanup_(closep) int fd = -1;
	Elf64_Shdr *s = one_symbol(&i);
	size_t n = 0;

	fd = image_write(&i);
	CHECK_INT(elf_file_open(&f, fd, &e), 0);
	CHECK(!ftruncate(fd, (off_t)s->sh_offset));
	CHECK_INT(elf_file_each_symbol(f, count_symbol, &n, &e), -EIO);
	CHECK_STR(error_text(&e), "reading its names: Input/output error");
	CHECK_INT(n, 0);
	CHECK_STR(elf_file_unwinds(f),
		"whether it unwinds its stack can't be told: its symbols are broken");
}

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static long peak_kib(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

/* 4 GB of nothing, of which a quarter of one is 11 million symbols without names. */
static void a_sparse_file_is_bounded(void)
{
	_cleanup_(image_deinit) struct image i = image_new();
	Elf64_Shdr *s = one_symbol(&i);
	_cleanup_(error_deinit) struct error e = {};
	_cleanup_(closep) int fd = -1;
	double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
	size_t n = 0;

	s->sh_offset = 1 << 20;
	s->sh_size = 256 << 20;
	s[1].sh_size = 1;
	fd = image_write(&i);
	CHECK(!ftruncate(fd, 4LL << 30));
	CHECK_INT(walk(fd, &n, &e), 0);
	CHECK_INT(n, 0);
	CHECK(seconds(CLOCK_PROCESS_CPUTIME_ID) - start < 10);
	CHECK(peak_kib() < 200 << 10);
}

/* Twice as many symbols as the largest programs on a common distribution have. */
static void many_symbols_are_fast(void)
{
	enum { N = 200000 };
	_cleanup_(image_deinit) struct image i = image_new();
	_cleanup_(error_deinit) struct error e = {};
	_cleanup_(closep) int fd = -1;
	struct image_symbols t = {};
	double start;
	size_t n = 0;

	for (int s = 0; s < N; s++) {
		char name[64];

		snprintf(name, sizeof(name), "_ZN9namespace5Class%dFunctionEv", s);
		image_function(&t, name, IMAGE_CODE + (uint64_t)s % 4000, 16);
	}
	image_table(&i, SHT_SYMTAB, &t);
	image_finish(&i);
	fd = image_write(&i);
	start = seconds(CLOCK_PROCESS_CPUTIME_ID);
	CHECK_INT(walk(fd, &n, &e), 0);
	CHECK(seconds(CLOCK_PROCESS_CPUTIME_ID) - start < 2);
	CHECK_INT(n, N);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(broken_symbol_tables_are_refused),
		CHECK_TEST(a_name_outside_its_table_is_no_name),
		CHECK_TEST(names_end_where_the_table_does),
		CHECK_TEST(overlapping_names_are_refused),
		CHECK_TEST(version_lists_end),
		CHECK_TEST(a_file_may_shrink_meanwhile),
		CHECK_TEST(a_sparse_file_is_bounded),
		CHECK_TEST(many_symbols_are_fast),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
