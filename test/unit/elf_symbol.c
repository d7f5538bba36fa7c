// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <string.h>

#include "elf/file.h"

#include "check.h"
#include "elf_image.h"

/* Symbols as they came, one a line. */
static int list_symbol(const struct elf_symbol *s, void *data)
{
	static const char *const kinds[] = {
		"function", "ifunc", "undefined", "data", "zero-size", "outside"};

	buffer_printf(data, "%s%s%s%s %s%s %lx+%lx@%lx\n", s->name, s->version ? "@" : "",
		s->version && s->is_default_version ? "@" : "", s->version ? s->version : "",
		s->is_local ? "local " : "", kinds[s->kind], s->address, s->size, s->offset);
	return 0;
}

static int each_symbol(const struct image *i, elf_symbol_visit *visit, void *data, struct error *e)
{
	_cleanup_(closep) int fd = image_write(i);
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;

	if (elf_file_open(&f, fd, e))
		return -EBADF;
	return elf_file_each_symbol(f, visit, data, e);
}

static void check_symbols(struct image *i, const char *expected)
{
	_cleanup_(buffer_deinit) struct buffer list = {};
	_cleanup_(error_deinit) struct error e = {};

	if (!i->header.e_shoff)
		image_finish(i);
	CHECK_INT(each_symbol(i, list_symbol, &list, &e), 0);
	CHECK_STR(buffer_text(&list), expected);
}

static void kinds_follow_type_and_place(void)
{
	_cleanup_(image_deinit) struct image i = image_new();
	struct image_symbols t = {};
	enum { GLOBAL = STB_GLOBAL << 4, LOCAL = STB_LOCAL << 4 };

	image_symbol(&t, NULL, 0, 0, 0, 0);
	image_function(&t, "f", IMAGE_CODE, 16);
	image_symbol(&t, "file.c", LOCAL | STT_FILE, SHN_ABS, 0, 0);
	image_symbol(&t, ".text", LOCAL | STT_SECTION, IMAGE_TEXT, IMAGE_CODE, 0);
	image_symbol(&t, "static", LOCAL | STT_FUNC, IMAGE_TEXT, IMAGE_CODE + 16, 1);
	image_symbol(&t, "chosen", GLOBAL | STT_GNU_IFUNC, IMAGE_TEXT, IMAGE_CODE + 32, 8);
	image_symbol(&t, "imported", GLOBAL | STT_FUNC, SHN_UNDEF, 0, 0);
	image_symbol(&t, "plt", GLOBAL | STT_FUNC, SHN_UNDEF, IMAGE_CODE, 0);
	image_symbol(&t, "object", GLOBAL | STT_OBJECT, IMAGE_DATA, 0x404000, 8);
	image_symbol(&t, "thread", GLOBAL | STT_TLS, IMAGE_DATA, 0, 8);
	image_symbol(&t, "assembler", GLOBAL | STT_NOTYPE, IMAGE_TEXT, IMAGE_CODE + 64, 4);
	image_symbol(&t, "label", LOCAL | STT_NOTYPE, IMAGE_TEXT, IMAGE_CODE + 64, 0);
	image_symbol(&t, "_end", GLOBAL | STT_NOTYPE, IMAGE_DATA, 0x404010, 0);
	image_symbol(&t, "table", GLOBAL | STT_NOTYPE, IMAGE_DATA, IMAGE_CODE + 64, 4);
	image_symbol(&t, "absolute", GLOBAL | STT_FUNC, SHN_ABS, IMAGE_CODE + 128, 4);
	image_table(&i, SHT_SYMTAB, &t);
	check_symbols(&i, "f function 401000+10@1000\n"
			  "static local function 401010+1@1010\n"
			  "chosen ifunc 401020+8@1020\n"
			  "imported undefined 0+0@0\n"
			  "plt undefined 401000+0@0\n"
			  "object data 404000+8@0\n"
			  "thread data 0+8@0\n"
			  "assembler function 401040+4@1040\n"
			  "label local zero-size 401040+0@1040\n"
			  "_end data 404010+0@0\n"
			  "table data 401040+4@0\n"
			  "absolute function 401080+4@1080\n");
}

static void functions_lie_in_code_as_a_whole(void)
{
	_cleanup_(image_deinit) struct image i = image_new();
	struct image_symbols t = {};

	image_function(&t, "all", IMAGE_CODE, IMAGE_CODE_SIZE);
	image_function(&t, "last", IMAGE_CODE + IMAGE_CODE_SIZE - 1, 1);
	image_function(&t, "past", IMAGE_CODE + IMAGE_CODE_SIZE - 1, 2);
	image_function(&t, "memory_only", IMAGE_CODE + IMAGE_CODE_SIZE, 1);
	image_function(&t, "before", IMAGE_CODE - 1, 4);
	image_function(&t, "not_executable", 0x400100, 4);
	image_function(&t, "wraps", IMAGE_CODE, UINT64_MAX);
	image_function(&t, "empty", IMAGE_CODE + 8, 0);
	image_function(&t, "nowhere", 0, 0);
	image_symbol(&t, "in_data", STT_FUNC, IMAGE_DATA, IMAGE_CODE, 4);
	image_table(&i, SHT_SYMTAB, &t);
	check_symbols(&i, "all function 401000+1000@1000\n"
			  "last function 401fff+1@1fff\n"
			  "past outside 401fff+2@0\n"
			  "memory_only outside 402000+1@0\n"
			  "before outside 400fff+4@0\n"
			  "not_executable outside 400100+4@0\n"
			  "wraps outside 401000+ffffffffffffffff@0\n"
			  "empty zero-size 401008+0@1008\n"
			  "nowhere outside 0+0@0\n"
			  "in_data local outside 401000+4@0\n");
}

/* The segment counts, wherever sections claim to be. */
static void offsets_go_by_the_segment(void)
{
	_cleanup_(image_deinit) struct image i = image_new();
	struct image_symbols t = {};

	i.segments[1].p_vaddr = 0x7000;
	i.segments[1].p_offset = 0x1800;
	i.segments[1].p_filesz = 0x800;
	i.sections[IMAGE_TEXT].sh_addr = 0x1234;
	i.sections[IMAGE_TEXT].sh_offset = 0x4321;
	image_function(&t, "f", 0x7010, 16);
	image_table(&i, SHT_SYMTAB, &t);
	check_symbols(&i, "f function 7010+10@1810\n");
}

static void mapping_symbols_are_arm_s(void)
{
	_cleanup_(image_deinit) struct image i = image_new();
	struct image_symbols t = {};

	image_symbol(&t, "$x", STT_NOTYPE, IMAGE_TEXT, IMAGE_CODE, 0);
	image_symbol(&t, "$d.7", STT_NOTYPE, IMAGE_TEXT, IMAGE_CODE, 0);
	image_symbol(&t, "$xy", STT_NOTYPE, IMAGE_TEXT, IMAGE_CODE, 0);
	image_symbol(&t, "$", STT_NOTYPE, IMAGE_TEXT, IMAGE_CODE, 0);
	image_table(&i, SHT_SYMTAB, &t);
	check_symbols(&i, IMAGE_MACHINE == EM_AARCH64 ? "$xy local zero-size 401000+0@1000\n"
							"$ local zero-size 401000+0@1000\n"
						      : "$x local zero-size 401000+0@1000\n"
							"$d.7 local zero-size 401000+0@1000\n"
							"$xy local zero-size 401000+0@1000\n"
							"$ local zero-size 401000+0@1000\n");
}

/* One definition (V2, index 3) and two needs of one file (OLD 4, NEW 5). */
static void add_versions(struct image *i, struct image_symbols *t)
{
	static const uint16_t indices[] = {0, 1, 3, 0x8003, 4, 5, 0, 9};
	uint32_t v2 = image_text(&t->names, "V2"), old = image_text(&t->names, "OLD"),
		 new = image_text(&t->names, "NEW");
	struct {
		Elf64_Verdef definition;
		Elf64_Verdaux name;
	} definitions = {
		{.vd_version = 1, .vd_ndx = 3, .vd_cnt = 1, .vd_aux = sizeof(Elf64_Verdef)},
		{.vda_name = v2}};
	struct {
		Elf64_Verneed file;
		Elf64_Vernaux needs[2];
	} needs = {{.vn_version = 1, .vn_cnt = 2, .vn_aux = sizeof(Elf64_Verneed)},
		{{.vna_other = 4, .vna_name = old, .vna_next = sizeof(Elf64_Vernaux)},
			{.vna_other = 5, .vna_name = new}}};

	image_section(i, ".gnu.version", SHT_GNU_versym, indices, sizeof(indices));
	image_section(i, ".gnu.version_d", SHT_GNU_verdef, &definitions, sizeof(definitions));
	image_section(i, ".gnu.version_r", SHT_GNU_verneed, &needs, sizeof(needs));
}

static void add_dynamic_symbols(struct image_symbols *t)
{
	image_symbol(t, NULL, 0, 0, 0, 0);
	image_function(t, "plain", IMAGE_CODE, 4);
	image_function(t, "f", IMAGE_CODE + 16, 4);
	image_function(t, "f", IMAGE_CODE + 32, 4);
	image_symbol(t, "old", STB_GLOBAL << 4 | STT_FUNC, SHN_UNDEF, 0, 0);
	image_symbol(t, "new", STB_GLOBAL << 4 | STT_FUNC, SHN_UNDEF, 0, 0);
	image_function(t, "local_version", IMAGE_CODE + 48, 4);
	image_function(t, "no_such_version", IMAGE_CODE + 64, 4);
	image_function(t, "past_the_versions", IMAGE_CODE + 80, 4);
}

static void dynamic_symbols_have_versions(void)
{
	_cleanup_(image_deinit) struct image i = image_new();
	struct image_symbols t = {};

	add_dynamic_symbols(&t);
	add_versions(&i, &t);
	image_table(&i, SHT_DYNSYM, &t);
	check_symbols(&i, "plain function 401000+4@1000\n"
			  "f@@V2 function 401010+4@1010\n"
			  "f@V2 function 401020+4@1020\n"
			  "old@OLD undefined 0+0@0\n"
			  "new@NEW undefined 0+0@0\n"
			  "local_version function 401030+4@1030\n"
			  "no_such_version function 401040+4@1040\n"
			  "past_the_versions function 401050+4@1050\n");
}

static void static_symbols_have_versions_in_their_names(void)
{
	_cleanup_(image_deinit) struct image i = image_new(), unversioned = image_new();
	struct image_symbols t = {};

	for (int n = 0; n < 2; n++) {
		image_function(&t, "f@@V2", IMAGE_CODE, 4);
		image_function(&t, "f@V1", IMAGE_CODE + 16, 4);
		image_function(&t, "@odd", IMAGE_CODE + 32, 4);
		image_table(n ? &unversioned : &i, SHT_SYMTAB, &t);
	}
	image_section(&i, ".gnu.version", SHT_GNU_versym, NULL, 0);
	check_symbols(&i, "f@@V2 function 401000+4@1000\n"
			  "f@V1 function 401010+4@1010\n"
			  "@odd function 401020+4@1020\n");
	check_symbols(&unversioned, "f@@V2 function 401000+4@1000\n"
				    "f@V1 function 401010+4@1010\n"
				    "@odd function 401020+4@1020\n");
}

static int split_seen(const struct elf_symbol *s, void *data)
{
	if (!s->version)
		return 0;
	CHECK_STR(s->name, "f");
	CHECK_STR(s->version, s->is_default_version ? "V2" : "V1");
	++*(int *)data;
	return 0;
}

static void a_version_is_no_part_of_the_name(void)
{
	_cleanup_(image_deinit) struct image i = image_new();
	_cleanup_(error_deinit) struct error e = {};
	struct image_symbols t = {};
	int n = 0;

	image_function(&t, "f@@V2", IMAGE_CODE, 4);
	image_function(&t, "f@V1", IMAGE_CODE + 16, 4);
	image_table(&i, SHT_SYMTAB, &t);
	image_section(&i, ".gnu.version", SHT_GNU_versym, NULL, 0);
	image_finish(&i);
	CHECK_INT(each_symbol(&i, split_seen, &n, &e), 0);
	CHECK_INT(n, 2);
}

static void static_symbols_come_first(void)
{
	_cleanup_(image_deinit) struct image i = image_new();
	struct image_symbols t = {};

	image_function(&t, "dynamic", IMAGE_CODE, 4);
	image_table(&i, SHT_DYNSYM, &t);
	image_function(&t, "static", IMAGE_CODE + 16, 4);
	image_table(&i, SHT_SYMTAB, &t);
	check_symbols(&i, "static function 401010+4@1010\n"
			  "dynamic function 401000+4@1000\n");
}

static int note_source(const struct elf_symbol *s, void *data)
{
	CHECK_STR(s->name, s->source == ELF_SYMTAB ? "static" : "dynamic");
	*(unsigned *)data |= 1u << s->source;
	return 0;
}

static void symbols_know_where_they_are_from(void)
{
	_cleanup_(image_deinit) struct image i = image_new();
	_cleanup_(error_deinit) struct error e = {};
	struct image_symbols t = {};
	unsigned seen = 0;

	image_function(&t, "dynamic", IMAGE_CODE, 4);
	image_table(&i, SHT_DYNSYM, &t);
	image_function(&t, "static", IMAGE_CODE + 16, 4);
	image_table(&i, SHT_SYMTAB, &t);
	image_finish(&i);
	CHECK_INT(each_symbol(&i, note_source, &seen, &e), 0);
	CHECK_INT(seen, 1u << ELF_SYMTAB | 1u << ELF_DYNSYM);
}

static int stop_at_second(const struct elf_symbol *s, void *data)
{
	CHECK(*(int *)data < 2 && s);
	return ++*(int *)data == 2 ? 42 : 0;
}

static void a_visit_can_end_the_walk(void)
{
	_cleanup_(image_deinit) struct image i = image_new();
	_cleanup_(error_deinit) struct error e = {};
	struct image_symbols t = {};
	int n = 0;

	for (int s = 0; s < 5; s++)
		image_function(&t, "f", IMAGE_CODE, 4);
	image_table(&i, SHT_SYMTAB, &t);
	image_finish(&i);
	CHECK_INT(each_symbol(&i, stop_at_second, &n, &e), 42);
	CHECK_INT(n, 2);
}

static void no_symbols_is_said(void)
{
	_cleanup_(image_deinit) struct image i = image_new();
	_cleanup_(buffer_deinit) struct buffer list = {};
	_cleanup_(error_deinit) struct error e = {};

	image_finish(&i);
	CHECK_INT(each_symbol(&i, list_symbol, &list, &e), -ENODATA);
	CHECK_STR(error_text(&e), "it has no symbols: they were stripped off");
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(kinds_follow_type_and_place),
		CHECK_TEST(functions_lie_in_code_as_a_whole),
		CHECK_TEST(offsets_go_by_the_segment),
		CHECK_TEST(mapping_symbols_are_arm_s),
		CHECK_TEST(dynamic_symbols_have_versions),
		CHECK_TEST(static_symbols_have_versions_in_their_names),
		CHECK_TEST(a_version_is_no_part_of_the_name),
		CHECK_TEST(static_symbols_come_first),
		CHECK_TEST(symbols_know_where_they_are_from),
		CHECK_TEST(a_visit_can_end_the_walk),
		CHECK_TEST(no_symbols_is_said),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
