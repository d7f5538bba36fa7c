// SPDX-License-Identifier: Apache-2.0
/*
 * Landing pads: where an unwinder lets a function go on. A frame of .eh_frame points to a table of
 * its own in .gcc_except_table (LSDA), which all compilers' personality routines share: for each
 * range of calls, the address to go on at when an exception comes out of one.
 *
 * A pad is a distance from the frame's first byte, unless the table names another base.
 */
#include "elf/cursor.h"
#include "elf/layout.h"

#include <errno.h>

#include "base/memory.h"

static const uint64_t largest_handlers_bytes = 256 << 20;

/* Of one frame, and more than any compiler makes: a hostile table could claim millions. */
enum { MOST_PADS = 1 << 16, LOOKED_BACK = 8 };

static void load(struct elf_file *f)
{
	_cleanup_(error_deinit) struct error ignored = {};
	const Elf64_Shdr *s = section_find_named(f, ".gcc_except_table");
	void *bytes;

	if (!s || s->sh_size > largest_handlers_bytes ||
		file_read_table(f, &bytes, s->sh_offset, s->sh_size, 1, "its handlers", &ignored))
		return;
	f->handlers = bytes;
	f->handlers_size = s->sh_size;
	f->handlers_address = s->sh_addr;
}

/* What lies at an address of the section, to its end; broken for what lies elsewhere. */
static struct cursor handlers_at(struct elf_file *f, uint64_t address)
{
	uint64_t offset;

	if (!f->handlers_are_loaded)
		load(f);
	f->handlers_are_loaded = true;
	offset = address - f->handlers_address;
	if (offset >= f->handlers_size)
		return (struct cursor){.is_broken = true};
	return (struct cursor){
		f->handlers + offset, f->handlers + f->handlers_size, address, false};
}

/* Reads the table's head: from where pads count, and in *calls the ranges with their encoding. */
static uint64_t read_head(struct cursor *c, uint64_t base, struct cursor *calls, uint8_t *encoding)
{
	uint8_t base_encoding = (uint8_t)cursor_take(c, 1), types_encoding;

	if (base_encoding != CURSOR_OMITTED)
		base = cursor_pointer(c, base_encoding);
	types_encoding = (uint8_t)cursor_take(c, 1);
	if (types_encoding != CURSOR_OMITTED)
		cursor_leb(c);
	*encoding = (uint8_t)cursor_take(c, 1);
	*calls = cursor_part(c, cursor_leb(c));
	return base;
}

static bool has_pad(const struct landing_pads *pads, uint64_t address)
{
	/* Neighbours share theirs: a look at the last few keeps the list short enough. */
	size_t first = pads->n > LOOKED_BACK ? pads->n - LOOKED_BACK : 0;

	for (size_t i = first; i < pads->n; i++)
		if (pads->addresses[i] == address)
			return true;
	return false;
}

static void add_pad(struct landing_pads *pads, uint64_t address)
{
	if (has_pad(pads, address))
		return;
	pads->addresses = memory_grow(pads->addresses, pads->n + 1, sizeof(*pads->addresses));
	pads->addresses[pads->n++] = address;
}

int elf_file_landing_pads(
	struct elf_file *f, const struct elf_frame *frame, struct landing_pads *pads)
{
	struct cursor c, calls;
	uint8_t encoding;
	uint64_t base;

	if (!frame->handlers)
		return 0;
	c = handlers_at(f, frame->handlers);
	base = read_head(&c, frame->address, &calls, &encoding);
	while (!c.is_broken && !calls.is_broken && calls.at < calls.end && pads->n < MOST_PADS) {
		uint64_t pad;

		cursor_number(&calls, encoding);
		cursor_number(&calls, encoding);
		pad = cursor_number(&calls, encoding);
		cursor_leb(&calls);
		if (pad && !calls.is_broken)
			add_pad(pads, base + pad);
	}
	return c.is_broken || calls.is_broken || calls.at < calls.end ? -EINVAL : 0;
}

void landing_pads_deinit(struct landing_pads *pads)
{
	free(pads->addresses);
	*pads = (struct landing_pads){};
}
