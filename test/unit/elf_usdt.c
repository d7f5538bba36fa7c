// SPDX-License-Identifier: Apache-2.0
/* Notes of USDT points, right and broken, and where their semaphores lie. */
#include <errno.h>

#include "elf/usdt.h"

#include "check.h"
#include "elf_image.h"

static size_t alignment = 4;

static void put_padding(struct buffer *b)
{
	while (b->size % alignment)
		buffer_putc(b, 0);
}

/* A note as sys/sdt.h writes it. */
static void put_note(struct buffer *b, const char *owner, uint32_t type,
	const uint64_t addresses[3], const char *texts, size_t n_texts)
{
	uint32_t header[] = {(uint32_t)strlen(owner) + 1, (uint32_t)(24 + n_texts), type};

	buffer_append(b, header, sizeof(header));
	buffer_append(b, owner, header[0]);
	put_padding(b);
	buffer_append(b, addresses, 24);
	buffer_append(b, texts, n_texts);
	put_padding(b);
}

#define TEXTS(text) text, sizeof(text)

/* Everything that a walk has met, a line for each. */
static int note_down(const struct elf_point *p, void *data)
{
	buffer_printf(data, "%s [%s] %lx %lx\n", p->name, p->arguments, (unsigned long)p->address,
		(unsigned long)p->semaphore);
	return 0;
}

static int walk(const struct image *i, struct buffer *met, struct error *e)
{
	_cleanup_(closep) int fd = image_write(i);
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	int r = elf_file_open(&f, fd, e);

	return r ? r : elf_file_each_point(f, note_down, met, e);
}

static void check_points(const struct image *i, int result, const char *expected, const char *why)
{
	_cleanup_(buffer_deinit) struct buffer met = {};
	_cleanup_(error_deinit) struct error e = {};

	CHECK_INT(walk(i, &met, &e), result);
	CHECK_STR(buffer_text(&met), expected);
	CHECK_STR(e.text ? e.text : "", why);
}

static const uint64_t plain[3] = {0x401010, 0x402000, 0};
static const uint64_t guarded[3] = {0x401020, 0x402000, 0x403000};

static struct buffer two_notes(void)
{
	struct buffer notes = {};

	put_note(&notes, "GNU", 3, plain, TEXTS("not\0a\0point"));
	put_note(&notes, "stapsdt", 3, plain, TEXTS("shop\0order\0-4@%edi 8@(%rsi)"));
	put_note(&notes, "stapsdt", 4, plain, TEXTS("another\0kind\0"));
	put_note(&notes, "stapsdt", 3, guarded, TEXTS("shop\0paid\0"));
	return notes;
}

static void notes_are_read(void)
{
	_cleanup_(image_deinit) struct image i = image_new();
	_cleanup_(buffer_deinit) struct buffer notes = two_notes();

	image_section(&i, ".note.stapsdt", SHT_NOTE, notes.data, notes.size)->sh_addralign = 4;
	image_finish(&i);
	check_points(
		&i, 0, "shop:order [-4@%edi 8@(%rsi)] 401010 0\nshop:paid [] 401020 403000\n", "");
}

/* Prelink moved all of the file by 0x10000. */
static void moved_addresses_are_followed(void)
{
	_cleanup_(image_deinit) struct image i = image_new();
	_cleanup_(buffer_deinit) struct buffer notes = two_notes();

	image_section(&i, ".note.stapsdt", SHT_NOTE, notes.data, notes.size);
	image_section(&i, ".stapsdt.base", SHT_PROGBITS, "", 1)->sh_addr = 0x412000;
	image_finish(&i);
	check_points(
		&i, 0, "shop:order [-4@%edi 8@(%rsi)] 411010 0\nshop:paid [] 411020 413000\n", "");
}

static void a_file_without_notes_has_none(void)
{
	_cleanup_(image_deinit) struct image i = image_new();

	image_finish(&i);
	check_points(&i, 0, "", "");
}

/* Without section headers they are found where they lie in a segment. */
static void segments_do_where_sections_are_gone(void)
{
	_cleanup_(image_deinit) struct image i = image_new();
	_cleanup_(buffer_deinit) struct buffer notes = two_notes();
	const Elf64_Shdr *s = image_section(&i, ".note", SHT_NOTE, notes.data, notes.size);

	i.segments[0] = (Elf64_Phdr){
		.p_type = PT_NOTE, .p_offset = s->sh_offset, .p_filesz = s->sh_size, .p_align = 4};
	image_finish(&i);
	i.header.e_shoff = i.header.e_shnum = 0;
	check_points(
		&i, 0, "shop:order [-4@%edi 8@(%rsi)] 401010 0\nshop:paid [] 401020 403000\n", "");
}

/* As .note.gnu.property is on 64-bit machines. */
static void notes_may_be_aligned_to_8(void)
{
	_cleanup_(image_deinit) struct image i = image_new();
	_cleanup_(buffer_deinit) struct buffer notes = {};
	const Elf64_Shdr *s;

	alignment = 8;
	notes = two_notes();
	alignment = 4;
	s = image_section(&i, ".note", SHT_NOTE, notes.data, notes.size);
	i.segments[0] = (Elf64_Phdr){
		.p_type = PT_NOTE, .p_offset = s->sh_offset, .p_filesz = s->sh_size, .p_align = 8};
	image_finish(&i);
	i.header.e_shoff = i.header.e_shnum = 0;
	check_points(
		&i, 0, "shop:order [-4@%edi 8@(%rsi)] 401010 0\nshop:paid [] 401020 403000\n", "");
}

static void check_broken(const char *texts, size_t n_texts)
{
	_cleanup_(image_deinit) struct image i = image_new();
	_cleanup_(buffer_deinit) struct buffer notes = {};

	put_note(&notes, "stapsdt", 3, plain, TEXTS("shop\0order\0"));
	put_note(&notes, "stapsdt", 3, plain, texts, n_texts);
	image_section(&i, ".note.stapsdt", SHT_NOTE, notes.data, notes.size);
	image_finish(&i);
	check_points(&i, -ENOEXEC, "shop:order [] 401010 0\n",
		"broken: its notes of USDT points make no sense");
}

static void broken_texts_are_refused(void)
{
	char longest[3000];

	memset(longest, 'x', sizeof(longest));
	check_broken("shop\0order", 10);
	check_broken("shop", 4);
	check_broken("", 0);
	check_broken("\0order\0", 8);
	check_broken("shop\0\0", 7);
	longest[1500] = longest[1502] = longest[1503] = '\0';
	check_broken(longest, 1504);
}

static void broken_tables_are_refused(void)
{
	_cleanup_(image_deinit) struct image i = image_new();
	_cleanup_(buffer_deinit) struct buffer notes = two_notes();
	Elf64_Shdr *s = image_section(&i, ".note.stapsdt", SHT_NOTE, notes.data, notes.size);
	static const char broken[] = "broken: its notes of USDT points make no sense";

	image_finish(&i);
	for (s->sh_size = 1; s->sh_size < 12; s->sh_size++)
		check_points(&i, -ENOEXEC, "", broken);
	s->sh_size = 30;
	check_points(&i, -ENOEXEC, "", broken);
	s->sh_size = 1 << 20;
	check_points(&i, -ENOEXEC, "", "truncated: it ends before its notes do");
	s->sh_size = UINT64_MAX;
	check_points(&i, -ENOEXEC, "", "its notes are too large");
	s->sh_size = notes.size;
	s->sh_offset = UINT64_MAX - 8;
	check_points(&i, -ENOEXEC, "", "truncated: it ends before its notes do");
}

static void check_semaphore(const struct image *i, uint64_t address, const char *why)
{
	_cleanup_(closep) int fd = image_write(i);
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	_cleanup_(error_deinit) struct error e = {};
	uint64_t offset = 0;

	CHECK_INT(elf_file_open(&f, fd, &e), 0);
	if (why) {
		CHECK_STR(elf_file_find_semaphore(f, address, &offset), why);
		CHECK_INT(offset, 0);
	} else {
		CHECK(!elf_file_find_semaphore(f, address, &offset));
		CHECK_INT(offset, address - 0x603000 + IMAGE_CODE_OFFSET + IMAGE_CODE_SIZE);
	}
}

static void semaphores_lie_in_writable_data(void)
{
	_cleanup_(image_deinit) struct image i = image_new();
	static const char words[] = "\0\0\0\0\1\0\0\0";
	static const char elsewhere[] = "its semaphore is not in the file's writable data";

	image_section(&i, ".probes", SHT_PROGBITS, words, 8);
	i.segments[0] = (Elf64_Phdr){.p_type = PT_LOAD,
		.p_flags = PF_R | PF_W,
		.p_vaddr = 0x603000,
		.p_offset = IMAGE_CODE_OFFSET + IMAGE_CODE_SIZE,
		.p_filesz = 8,
		.p_memsz = 100};
	image_finish(&i);
	check_semaphore(&i, 0x603000, NULL);
	check_semaphore(&i, 0x603006, NULL);
	check_semaphore(&i, 0x603001, "its semaphore lies at an odd address");
	check_semaphore(
		&i, 0x603004, "its semaphore isn't 0 in the file: something else lies there");
	check_semaphore(&i, 0x603008, elsewhere);
	check_semaphore(&i, 0x602ffe, elsewhere);
	check_semaphore(&i, IMAGE_CODE, elsewhere);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(notes_are_read),
		CHECK_TEST(moved_addresses_are_followed),
		CHECK_TEST(a_file_without_notes_has_none),
		CHECK_TEST(segments_do_where_sections_are_gone),
		CHECK_TEST(notes_may_be_aligned_to_8),
		CHECK_TEST(broken_texts_are_refused),
		CHECK_TEST(broken_tables_are_refused),
		CHECK_TEST(semaphores_lie_in_writable_data),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
