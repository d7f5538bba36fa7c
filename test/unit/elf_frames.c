// SPDX-License-Identifier: Apache-2.0
/* What the tables for unwinding say, of functions of this very program. */
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>

#include "elf/file.h"

__attribute__((noinline)) static int plain(int x)
{
	__asm__ volatile("" : "+r"(x));
	return x + 1;
}

static void clean_up(int *x)
{
	__asm__ volatile("" : "+m"(*x));
}

__attribute__((noinline)) static int handles(int (*call)(int))
{
	__attribute__((cleanup(clean_up))) int x = 1;

	return call(x) + x;
}

static uintptr_t base_address;

static int find_base(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size, (void)data;
	base_address = info->dlpi_addr;
	return 1;
}

static void frames_are_found(void)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	_cleanup_(closep) int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	_cleanup_(landing_pads_deinit) struct landing_pads pads = {};
	const struct elf_frame *frame;
	uint8_t bytes[4];

	dl_iterate_phdr(find_base, NULL);
	CHECK_INT(elf_file_open(&f, fd, NULL), 0);
	frame = elf_file_frame(f, (uintptr_t)plain - base_address);
	CHECK(frame && frame->address == (uintptr_t)plain - base_address);
	CHECK(frame && frame->size > 0 && !frame->handlers && !frame->is_part);
	CHECK(elf_file_frame(f, frame->address + frame->size - 1) == frame);
	CHECK(elf_file_frame(f, frame->address + frame->size) != frame);
	/* Compiled with -fexceptions, see CMakeLists.txt: its clean-up is a landing pad. */
	frame = elf_file_frame(f, (uintptr_t)handles - base_address);
	CHECK(frame && frame->handlers && !frame->is_part);
	CHECK_INT(elf_file_landing_pads(f, frame, &pads), 0);
	CHECK_INT(pads.n, 1);
	CHECK(pads.n == 1 && pads.addresses[0] - frame->address < frame->size);
	CHECK(elf_file_next_function(f, frame->address - 1) == frame->address);
	CHECK(elf_file_next_function(f, frame->address) >= frame->address + frame->size);
	CHECK(elf_file_next_function(f, UINT64_MAX) == UINT64_MAX);
	CHECK(!elf_file_frame(f, 0));
	CHECK(!elf_file_frame(f, ~0ULL));
	CHECK(elf_file_has_function(f, (uintptr_t)plain - base_address));
	CHECK(!elf_file_has_function(f, (uintptr_t)plain - base_address + 1));
	CHECK(!elf_file_is_import(f, (uintptr_t)plain - base_address));
	CHECK_INT(elf_file_read_address(f, (uintptr_t)plain - base_address, bytes, 4), 0);
	CHECK(!memcmp(bytes, (const void *)(uintptr_t)plain, 4));
	CHECK_INT(elf_file_read_address(f, ~0ULL - 8, bytes, 4), -EFAULT);
	CHECK(handles(plain) == 3);
}

int main(void)
{
	static const struct check_test tests[] = {CHECK_TEST(frames_are_found)};

	return check_run(tests, ARRAY_SIZE(tests));
}
