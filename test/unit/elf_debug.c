// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <string.h>

#include "elf/debug.h"

#include "check.h"
#include "elf_image.h"

static const char id_one[] = "0123456789abcdefghi", id_two[] = "0123456789abcdefghj";

static void add_note(struct image *i, const char *name, uint32_t type, const char *id, uint32_t n)
{
	_cleanup_(buffer_deinit) struct buffer note = {};
	Elf64_Nhdr head = {.n_namesz = (uint32_t)strlen(name) + 1, .n_descsz = n, .n_type = type};

	buffer_append(&note, &head, sizeof(head));
	buffer_append(&note, name, head.n_namesz);
	while (note.size % 4)
		buffer_putc(&note, 0);
	buffer_append(&note, id, n);
	image_section(i, ".note", SHT_NOTE, note.data, note.size);
}

static void add_id(struct image *i, const char *id)
{
	add_note(i, "GNU", NT_GNU_BUILD_ID, id, 20);
}

static struct elf_file *open_image(struct image *i, int *fd)
{
	struct elf_file *f = NULL;

	if (!i->header.e_shoff)
		image_finish(i);
	*fd = image_write(i);
	CHECK_INT(elf_file_open(&f, *fd, NULL), 0);
	return f;
}

/* The build-id that a file is found to have; "none". */
static void check_id(struct image *i, const char *expected)
{
	_cleanup_(closep) int fd = -1;
	_cleanup_(elf_file_freep) struct elf_file *f = open_image(i, &fd);
	struct elf_build_id id = {};
	char text[sizeof(id.bytes) + 1] = "none";

	if (elf_file_build_id(f, &id)) {
		memcpy(text, id.bytes, id.n);
		text[id.n] = '\0';
	}
	CHECK_STR(text, expected);
}

static void a_build_id_is_in_a_note(void)
{
	_cleanup_(image_deinit) struct image i = image_new();

	add_note(&i, "Xen", NT_GNU_BUILD_ID, "other owner", 11);
	add_note(&i, "GNU", NT_GNU_ABI_TAG, "other type", 10);
	add_note(&i, "GNU", NT_GNU_BUILD_ID, "", 0);
	add_id(&i, id_one);
	check_id(&i, "0123456789abcdefghi");
}

static void a_file_without_sections_has_one_in_its_segments(void)
{
	_cleanup_(image_deinit) struct image i = image_new();

	add_id(&i, "segmentsegmentsegmen");
	image_finish(&i);
	i.segments[0] = (Elf64_Phdr){.p_type = PT_NOTE,
		.p_offset = i.sections[IMAGE_DATA + 1].sh_offset,
		.p_filesz = i.sections[IMAGE_DATA + 1].sh_size};
	i.header.e_shnum = 0;
	check_id(&i, "segmentsegmentsegmen");
}

static void broken_notes_give_none(void)
{
	static const Elf64_Nhdr heads[] = {
		{4, 65, NT_GNU_BUILD_ID},
		{4, 21, NT_GNU_BUILD_ID},
		{4, UINT32_MAX, NT_GNU_BUILD_ID},
		{UINT32_MAX, 20, NT_GNU_BUILD_ID},
		{UINT32_MAX - 3, UINT32_MAX - 3, 0},
		{0, 0, 0},
	};

	for (size_t n = 0; n < ARRAY_SIZE(heads); n++) {
		_cleanup_(image_deinit) struct image i = image_new();
		struct {
			Elf64_Nhdr head;
			char rest[24];
		} note = {heads[n], "GNU"};

		image_section(&i, ".note", SHT_NOTE, &note, sizeof(note));
		check_id(&i, "none");
	}
}

/* bytes: the section's; expected: the name, or "none". */
static void check_link(const void *bytes, size_t n, const char *expected)
{
	_cleanup_(image_deinit) struct image i = image_new();
	_cleanup_(closep) int fd = -1;
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	struct elf_debuglink link = {};

	image_section(&i, ".gnu_debuglink", SHT_PROGBITS, bytes, n);
	f = open_image(&i, &fd);
	if (elf_file_debuglink(f, &link))
		CHECK_INT(link.checksum, 0x04030201);
	CHECK_STR(link.name[0] ? link.name : "none", expected);
}

static void a_link_is_a_name_and_a_checksum(void)
{
	check_link("p.debug\0\1\2\3\4", 12, "p.debug");
	check_link("p.d\0\1\2\3\4", 8, "p.d");
	check_link("p\0\0\0\1\2\3\4", 8, "p");
	check_link("p.d\0\1\2\3", 7, "none");
	check_link("p.debug", 7, "none");
	check_link("../x\0\0\0\0\1\2\3\4", 12, "none");
	check_link("\0\0\0\0\1\2\3\4", 8, "none");
	check_link("", 0, "none");
}

static int list_symbol(const struct elf_symbol *s, void *data)
{
	static const char *const kinds[] = {
		"function", "ifunc", "undefined", "data", "zero-size", "outside"};

	buffer_printf(data, "%s %s %lx@%lx from %d\n", s->name, kinds[s->kind], s->address,
		s->offset, s->source);
	return 0;
}

/* A program with an exported function, and the file that its symbols were split off into. */
struct pair {
	struct image program, debug;
	struct elf_file *file;
	int fd;
};

static void pair_init(struct pair *p, const char *id, const char *debug_id)
{
	struct image_symbols t = {};

	*p = (struct pair){.program = image_new(), .debug = image_new(), .fd = -1};
	image_function(&t, "exported", IMAGE_CODE, 4);
	image_table(&p->program, SHT_DYNSYM, &t);
	image_function(&t, "hidden", IMAGE_CODE + 16, 4);
	image_function(&t, "nowhere", 0x700000, 4);
	image_table(&p->debug, SHT_SYMTAB, &t);
	if (id)
		add_id(&p->program, id);
	if (debug_id)
		add_id(&p->debug, debug_id);
	image_finish(&p->debug);
}

static void pair_deinit(struct pair *p)
{
	elf_file_free(p->file);
	closep(&p->fd);
	image_deinit(&p->program);
	image_deinit(&p->debug);
}

/* Adds the debug file: result and text, and the symbols that the program has then. */
static void check_add(struct pair *p, const char *text, const char *symbols)
{
	_cleanup_(buffer_deinit) struct buffer list = {};
	_cleanup_(error_deinit) struct error e = {};
	int r;

	p->file = open_image(&p->program, &p->fd);
	r = elf_file_add_debug_file(p->file, image_write(&p->debug), "/d/x.debug", &e);
	CHECK_INT(r, text ? -ESTALE : 0);
	CHECK_STR(e.text ? e.text : "", text ? text : "");
	CHECK_INT(elf_file_each_symbol(p->file, list_symbol, &list, &e), 0);
	CHECK_STR(buffer_text(&list), symbols);
}

static const char own[] = "exported function 401000@1000 from 1\n",
		  both[] = "exported function 401000@1000 from 1\n"
			   "hidden function 401010@1010 from 2\n"
			   "nowhere outside 700000@0 from 2\n";

static void names_come_from_the_same_build(void)
{
	_cleanup_(pair_deinit) struct pair p;

	pair_init(&p, id_one, id_one);
	check_add(&p, NULL, both);
	CHECK_STR(elf_file_source_name(p.file, ELF_DEBUG_FILE), "/d/x.debug");
	CHECK(!elf_file_missing_names(p.file));
}

/* The contents of its segments are the program's. */
static void a_debug_file_has_no_code(void)
{
	_cleanup_(pair_deinit) struct pair p;

	pair_init(&p, id_one, id_one);
	p.debug.segments[1].p_offset = UINT64_MAX;
	p.debug.sections[IMAGE_TEXT].sh_type = SHT_NOBITS;
	check_add(&p, NULL, both);
}

static void another_build_gives_none(void)
{
	_cleanup_(pair_deinit) struct pair p, q;

	pair_init(&p, id_one, id_two);
	check_add(&p,
		"the debug file /d/x.debug is not used: it belongs to another build (its build-id "
		"differs)",
		own);
	pair_init(&q, id_one, NULL);
	check_add(&q,
		"the debug file /d/x.debug is not used: it has no build-id, and the file has one",
		own);
}

static void a_program_that_was_moved_about_has_none(void)
{
	_cleanup_(pair_deinit) struct pair p;

	pair_init(&p, id_one, id_one);
	p.debug.segments[1].p_vaddr += 0x1000;
	check_add(&p,
		"the debug file /d/x.debug is not used: its code lay elsewhere: the file was "
		"changed after it was built",
		own);
}

static uint32_t slow_checksum(int fd)
{
	uint32_t sum = UINT32_MAX;
	uint8_t byte;

	for (off_t at = 0; pread(fd, &byte, 1, at) == 1; at++) {
		sum ^= byte;
		for (int bit = 0; bit < 8; bit++)
			sum = sum & 1 ? sum >> 1 ^ 0xedb88320 : sum >> 1;
	}
	return ~sum;
}

/* difference: of the program's checksum from the right one. */
static void check_checksum(uint32_t difference, const char *text, const char *symbols)
{
	_cleanup_(pair_deinit) struct pair p;
	struct {
		char name[8];
		uint32_t checksum;
	} link = {"x.debug", 0};
	_cleanup_(closep) int fd = -1;

	pair_init(&p, NULL, id_two);
	fd = image_write(&p.debug);
	link.checksum = slow_checksum(fd) + difference;
	image_section(&p.program, ".gnu_debuglink", SHT_PROGBITS, &link, sizeof(link));
	check_add(&p, text, symbols);
}

static void without_a_build_id_the_checksum_counts(void)
{
	_cleanup_(pair_deinit) struct pair p;

	check_checksum(0, NULL, both);
	check_checksum(1,
		"the debug file /d/x.debug is not used: it belongs to another build (its checksum "
		"differs)",
		own);
	pair_init(&p, NULL, id_one);
	check_add(&p,
		"the debug file /d/x.debug is not used: the file itself says nothing that it could "
		"be checked by",
		own);
}

static void a_symbol_table_of_its_own_is_enough(void)
{
	_cleanup_(pair_deinit) struct pair p;
	struct image_symbols t = {};

	pair_init(&p, id_one, id_one);
	image_function(&t, "own", IMAGE_CODE + 32, 4);
	image_table(&p.program, SHT_SYMTAB, &t);
	check_add(&p, NULL,
		"own function 401020@1020 from 0\n"
		"exported function 401000@1000 from 1\n");
}

static void a_broken_one_is_told_and_left_out(void)
{
	_cleanup_(pair_deinit) struct pair p;

	pair_init(&p, id_one, id_one);
	p.debug.sections[IMAGE_DATA + 1].sh_size = 1 << 20;
	check_add(&p, NULL, own);
	CHECK_STR(elf_file_missing_names(p.file),
		"the debug file /d/x.debug: truncated: it ends before its symbols do");
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(a_build_id_is_in_a_note),
		CHECK_TEST(a_file_without_sections_has_one_in_its_segments),
		CHECK_TEST(broken_notes_give_none),
		CHECK_TEST(a_link_is_a_name_and_a_checksum),
		CHECK_TEST(names_come_from_the_same_build),
		CHECK_TEST(a_debug_file_has_no_code),
		CHECK_TEST(another_build_gives_none),
		CHECK_TEST(a_program_that_was_moved_about_has_none),
		CHECK_TEST(without_a_build_id_the_checksum_counts),
		CHECK_TEST(a_symbol_table_of_its_own_is_enough),
		CHECK_TEST(a_broken_one_is_told_and_left_out),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
