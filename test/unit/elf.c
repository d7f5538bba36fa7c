// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "elf/file.h"

#include "check.h"
#include "elf_image.h"

/* Opens what is in fd; "" or the reason why not. */
static const char *refusal(int fd, struct error *e)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	int r = elf_file_open(&f, fd, e);

	CHECK(!r == (f != NULL));
	return r ? error_text(e) : "";
}

static void check_refusal(int fd, const char *expected)
{
	_cleanup_(error_deinit) struct error e = {};

	CHECK_STR(refusal(fd, &e), expected);
}

static void check_text(const char *text, const char *expected)
{
	_cleanup_(closep) int fd = memfd_create("text", MFD_CLOEXEC);

	image_pwrite(fd, text, strlen(text), 0);
	check_refusal(fd, expected);
}

static void other_files_say_what_they_are(void)
{
	_cleanup_(closep) int folder = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_cleanup_(closep) int device = open("/dev/null", O_RDONLY | O_CLOEXEC);

	check_refusal(folder, "a directory");
	check_refusal(device, "not a regular file");
	check_text("", "an empty file");
	check_text("hello", "not an ELF file");
	check_text("#!/bin/sh\necho\n", "a script (#!/bin/sh)");
	check_text("#!/bin/sh\x1b[0m", "a script (#!/bin/sh)");
	check_text("#!", "a script (#!)");
	check_text("\x7f"
		   "ELF",
		"truncated: it ends within its header");
	check_text("\x7f"
		   "ELF\x01",
		"a 32-bit file");
}

static void check_header(const Elf64_Ehdr *header, const char *expected)
{
	_cleanup_(image_deinit) struct image i = image_new();
	_cleanup_(closep) int fd = -1;

	image_finish(&i);
	fd = image_write(&i);
	image_pwrite(fd, header, sizeof(*header), 0);
	check_refusal(fd, expected);
}

static void other_programs_say_what_they_are(void)
{
	_cleanup_(image_deinit) struct image i = image_new();
	Elf64_Ehdr h, good;

	image_finish(&i);
	good = h = i.header;
	check_header(&h, "");
	h.e_type = ET_EXEC;
	check_header(&h, "");
	h.e_type = ET_REL;
	check_header(&h, "an object file that was not linked yet");
	h.e_type = ET_CORE;
	check_header(&h, "a core dump");
	h.e_type = 77;
	check_header(&h, "neither an executable nor a library");
	h = good;
	h.e_ident[EI_CLASS] = ELFCLASS32;
	check_header(&h, "a 32-bit file");
	h.e_ident[EI_CLASS] = 9;
	check_header(&h, "an ELF file of an unknown kind");
	h = good;
	h.e_ident[EI_DATA] = ELFDATA2MSB;
	check_header(&h, "a big-endian file");
	h = good;
	h.e_machine = IMAGE_OTHER_MACHINE;
	check_header(&h, IMAGE_MACHINE == EM_X86_64
				 ? "built for arm64, and this machine is x86-64"
				 : "built for x86-64, and this machine is arm64");
	h.e_machine = 4711;
	check_header(&h, IMAGE_MACHINE == EM_X86_64
				 ? "built for an unknown machine, and this machine is x86-64"
				 : "built for an unknown machine, and this machine is arm64");
}

static void broken_headers_are_refused(void)
{
	_cleanup_(image_deinit) struct image i = image_new();
	Elf64_Ehdr h, good;

	image_finish(&i);
	good = h = i.header;
	h.e_phnum = 0;
	check_header(&h, "not a program: it has no segments");
	h.e_phnum = 1171;
	check_header(&h, "broken: its program headers make no sense");
	h = good;
	h.e_phentsize = 32;
	check_header(&h, "broken: its program headers make no sense");
	h = good;
	h.e_phoff = UINT64_MAX - 8;
	check_header(&h, "truncated: it ends before its program headers do");
	h = good;
	h.e_shentsize = 40;
	check_header(&h, "broken: its section headers make no sense");
	h = good;
	h.e_shnum++;
	check_header(&h, "truncated: it ends before its section headers do");
	h = good;
	h.e_shoff = INT64_MAX;
	check_header(&h, "truncated: it ends before its section headers do");
	h = good;
	h.e_shoff = h.e_shnum = 0; /* taken off: still a program */
	check_header(&h, "");
	h.e_shstrndx = 0xffff;
	check_header(&h, "");
}

static void a_file_cut_short_is_refused(void)
{
	_cleanup_(image_deinit) struct image i = image_new();
	_cleanup_(closep) int fd = -1;
	struct stat status = {};

	image_finish(&i);
	i.header.e_shnum = 0;
	fd = image_write(&i);
	CHECK(!fstat(fd, &status));
	for (off_t size = status.st_size; size >= IMAGE_CODE_OFFSET + IMAGE_CODE_SIZE; size -= 8) {
		CHECK(!ftruncate(fd, size));
		check_refusal(fd, "");
	}
	CHECK(!ftruncate(fd, IMAGE_CODE_OFFSET + IMAGE_CODE_SIZE - 1));
	check_refusal(fd, "truncated: it ends before its segments do");
	CHECK(!ftruncate(fd, sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr) - 1));
	check_refusal(fd, "truncated: it ends before its program headers do");
	CHECK(!ftruncate(fd, sizeof(Elf64_Ehdr) - 1));
	check_refusal(fd, "truncated: it ends within its header");
}

static void bytes_are_read_within_the_file(void)
{
	_cleanup_(image_deinit) struct image i = image_new();
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	_cleanup_(error_deinit) struct error e = {};
	_cleanup_(closep) int fd = -1;
	struct stat status = {};
	char bytes[4];

	image_finish(&i);
	fd = image_write(&i);
	CHECK(!elf_file_open(&f, fd, &e) && !fstat(fd, &status));
	CHECK_INT(elf_file_read(f, 0, bytes, 4), 0);
	CHECK(!memcmp(bytes, ELFMAG, SELFMAG));
	CHECK_INT(elf_file_read(f, (uint64_t)status.st_size - 4, bytes, 4), 0);
	CHECK_INT(elf_file_read(f, (uint64_t)status.st_size - 3, bytes, 4), -EIO);
	CHECK_INT(elf_file_read(f, UINT64_MAX, bytes, 4), -EIO);
	CHECK_INT(elf_file_machine(f),
		IMAGE_MACHINE == EM_X86_64 ? ELF_MACHINE_X86_64 : ELF_MACHINE_ARM64);
}

/* This function as the file has it and as memory has it: the same bytes. */
static int compare_with_memory(const struct elf_symbol *s, void *data)
{
	unsigned char bytes[64];
	size_t n = s->size < sizeof(bytes) ? s->size : sizeof(bytes);

	if (strcmp(s->name, "compare_with_memory") != 0)
		return 0;
	CHECK_INT(s->kind, ELF_FUNCTION);
	CHECK(s->is_local);
	CHECK_INT(elf_file_read(data, s->offset, bytes, n), 0);
	CHECK(!memcmp(bytes, (const void *)compare_with_memory, n));
	return 7;
}

static void finds_itself(void)
{
	_cleanup_(closep) int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	_cleanup_(error_deinit) struct error e = {};

	CHECK_INT(elf_file_open(&f, fd, &e), 0);
	if (f)
		CHECK_INT(elf_file_each_symbol(f, compare_with_memory, f, &e), 7);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(other_files_say_what_they_are),
		CHECK_TEST(other_programs_say_what_they_are),
		CHECK_TEST(broken_headers_are_refused),
		CHECK_TEST(a_file_cut_short_is_refused),
		CHECK_TEST(bytes_are_read_within_the_file),
		CHECK_TEST(finds_itself),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
