// SPDX-License-Identifier: Apache-2.0
/*
 * Any bytes as an ELF file: opened, walked over, asked whether it unwinds, and the entry of each
 * of its functions examined. What is said to be a function has to lie within the file.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "code/code.h"
#include "elf/debug.h"
#include "elf/file.h"
#include "elf/inlined.h"
#include "input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Seen by both machines' decoders, whichever the file is for. */
static void examine(const uint8_t *bytes, size_t n, uint64_t address)
{
	static const enum elf_machine machines[] = {ELF_MACHINE_X86_64, ELF_MACHINE_ARM64};
	struct code_site site;

	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		code_examine_entry(machines[i], bytes, n, address, &site);
		if (site.size > n || !*cost_class_name(site.cost))
			abort();
	}
}

static void look_at_frame(struct elf_file *f, uint64_t address)
{
	_cleanup_(landing_pads_deinit) struct landing_pads pads = {};
	const struct elf_frame *frame = elf_file_frame(f, address);

	if (frame)
		elf_file_landing_pads(f, frame, &pads);
	if (elf_file_next_function(f, address) <= address && address != UINT64_MAX)
		abort();
}

static int look_at_symbol(const struct elf_symbol *s, void *data)
{
	uint8_t body[1024];
	size_t n = s->size < sizeof(body) ? s->size : sizeof(body);

	elf_symbol_unwinds(s->name);
	look_at_frame(data, s->address);
	elf_file_is_import(data, s->address);
	if (s->kind != ELF_FUNCTION)
		return 0;
	if (elf_file_read(data, s->offset, body, n) ||
		elf_file_read(data, s->offset + s->size - 1, body, 1))
		abort();
	examine(body, n, s->address);
	return 0;
}

/* What ties the file to others; and the file as one that was made beside itself. */
static void look_for_debug_file(struct elf_file *f, const uint8_t *data, size_t size)
{
	_cleanup_(error_deinit) struct error e = {};
	struct elf_debuglink link;
	struct elf_build_id id;
	int fd = memfd_create("debug", MFD_CLOEXEC);

	if (fd < 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	if (elf_file_debuglink(f, &link) && strlen(link.name) > NAME_MAX)
		abort();
	if (elf_file_build_id(f, &id) && id.n > sizeof(id.bytes))
		abort();
	elf_file_has_dwarf(f);
	if (!elf_file_add_debug_file(f, fd, "itself", &e))
		elf_file_each_symbol(f, look_at_symbol, f, &e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(error_deinit) struct error e = {};
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;

	examine(data, size, 0);
	if (elf_file_open(&f, input_file(data, size), &e))
		return 0;
	elf_file_each_symbol(f, look_at_symbol, f, &e);
	elf_file_unwinds(f);
	look_for_debug_file(f, data, size);
	return 0;
}
