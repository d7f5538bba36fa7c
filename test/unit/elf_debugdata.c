// SPDX-License-Identifier: Apache-2.0
/* Symbols that are packed in the file itself. */
#include <errno.h>
#include <lzma.h>
#include <string.h>

#include "elf/debug.h"

#include "check.h"
#include "elf_image.h"

static int list_symbol(const struct elf_symbol *s, void *data)
{
	buffer_printf(data, "%s %lx@%lx from %s\n", s->name, s->address, s->offset,
		s->source == ELF_DEBUGDATA ? "inside" : "itself");
	return 0;
}

/* Packs an image of a file with the function "packed" into another one. */
static void pack(struct image *into, size_t cut_off)
{
	_cleanup_(image_deinit) struct image packed = image_new();
	static uint8_t plain[1 << 16], bytes[1 << 16];
	_cleanup_(closep) int fd = -1;
	struct image_symbols t = {};
	size_t n_bytes = 0;
	ssize_t n;

	image_function(&t, "packed", IMAGE_CODE + 32, 4);
	image_table(&packed, SHT_SYMTAB, &t);
	image_finish(&packed);
	fd = image_write(&packed);
	n = pread(fd, plain, sizeof(plain), 0);
	CHECK_INT(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL, plain, (size_t)n, bytes,
			  &n_bytes, sizeof(bytes)),
		LZMA_OK);
	image_section(into, ".gnu_debugdata", SHT_PROGBITS, bytes, n_bytes - cut_off);
}

/* What is known of the program once it was told to unpack its symbols. */
static void check_unpacked(struct image *i, const char *symbols, const char *missing)
{
	_cleanup_(closep) int fd = -1;
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	_cleanup_(buffer_deinit) struct buffer list = {};
	_cleanup_(error_deinit) struct error e = {};

	image_finish(i);
	fd = image_write(i);
	CHECK_INT(elf_file_open(&f, fd, &e), 0);
	elf_file_unpack_symbols(f);
	elf_file_each_symbol(f, list_symbol, &list, &e);
	CHECK_STR(buffer_text(&list), symbols);
	CHECK_STR(elf_file_missing_names(f) ? elf_file_missing_names(f) : "", missing);
}

static void symbols_can_be_packed_in_the_file(void)
{
	_cleanup_(image_deinit) struct image i = image_new(), cut = image_new(),
					     whole = image_new();
	struct image_symbols t = {};

	pack(&i, 0);
	check_unpacked(&i, "packed 401020@1020 from inside\n", "");
	pack(&cut, 20);
	check_unpacked(&cut, "", "its .gnu_debugdata can't be read: broken");
	pack(&whole, 20);
	image_function(&t, "own", IMAGE_CODE, 4);
	image_table(&whole, SHT_SYMTAB, &t);
	check_unpacked(&whole, "own 401000@1000 from itself\n", "");
}

/* 65 MiB of zeros, and what is no ELF file, in some bytes. */
static void what_is_packed_is_bounded(void)
{
	_cleanup_(image_deinit) struct image bomb = image_new(), text = image_new();
	_cleanup_(freep) uint8_t *zeros = calloc(1, 65 << 20), *bytes = malloc(1 << 20);
	size_t n = 0;

	CHECK_INT(lzma_easy_buffer_encode(
			  0, LZMA_CHECK_NONE, NULL, zeros, 65 << 20, bytes, &n, 1 << 20),
		LZMA_OK);
	image_section(&bomb, ".gnu_debugdata", SHT_PROGBITS, bytes, n);
	check_unpacked(&bomb, "",
		"its .gnu_debugdata can't be read: the process that read it crashed (File size "
		"limit exceeded)");
	n = 0;
	CHECK_INT(lzma_easy_buffer_encode(0, LZMA_CHECK_NONE, NULL, (const uint8_t *)"#!/bin/sh", 9,
			  bytes, &n, 1 << 20),
		LZMA_OK);
	image_section(&text, ".gnu_debugdata", SHT_PROGBITS, bytes, n);
	check_unpacked(&text, "", "its .gnu_debugdata can't be read: a script (#!/bin/sh)");
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(symbols_can_be_packed_in_the_file),
		CHECK_TEST(what_is_packed_is_bounded),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
