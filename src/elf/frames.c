// SPDX-License-Identifier: Apache-2.0
/*
 * .eh_frame: the tables by which stacks are unwound, read for what they say of functions.
 *
 * Every function of a compiled file has an entry, also in a stripped file and also a static one:
 * where its code begins, how long it is, and whether exceptions are handled inside it (a pointer to
 * a table of landing pads, LSDA). A part that a compiler moved away (NAME.cold) has an entry, too;
 * it is told by its first rows, which describe a stack that the rest of the function has already
 * moved.
 *
 * The section is walked once, in order, and every length in it is compared with what is left.
 */
#include "elf/layout.h"

#include <errno.h>
#include <string.h>

#include "base/memory.h"

static const uint64_t largest_frames_bytes = 256 << 20;

/* What is left to read. Reading past the end gives zeros and leaves is_broken set. */
struct cursor {
	const uint8_t *at, *end;
	uint64_t address; /* of at, where the file is loaded */
	bool is_broken;
};

static uint64_t take(struct cursor *c, size_t n)
{
	uint64_t value = 0;

	if ((size_t)(c->end - c->at) < n) {
		c->is_broken = true;
		return 0;
	}
	memcpy(&value, c->at, n);
	c->at += n;
	c->address += n;
	return value;
}

static uint64_t take_leb(struct cursor *c)
{
	uint64_t value = 0, byte;
	unsigned shift = 0;

	do {
		byte = take(c, 1);
		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && !c->is_broken);
	return value;
}

/* The first n bytes of what is left, as a cursor of its own; c moves on behind them. */
static struct cursor take_part(struct cursor *c, uint64_t n)
{
	struct cursor part = *c;

	if (n > (uint64_t)(c->end - c->at)) {
		c->is_broken = part.is_broken = true;
		n = 0;
	}
	part.end = part.at + n;
	c->at += n;
	c->address += n;
	return part;
}

/* DW_EH_PE_*: the form in the low four bits, what it is relative to above. */
enum { FORM = 0x0f, RELATIVE = 0x70, TO_ITSELF = 0x10, IS_INDIRECT = 0x80, OMITTED = 0xff };

static const struct {
	uint8_t size;
	bool is_signed;
} forms[16] = {
	[0x0] = {8, false},
	[0x2] = {2, false},
	[0x3] = {4, false},
	[0x4] = {8, false},
	[0xa] = {2, true},
	[0xb] = {4, true},
	[0xc] = {8, true},
};

/* A number of a form, as 64 bits. */
static uint64_t take_number(struct cursor *c, uint8_t encoding)
{
	uint8_t size = forms[encoding & FORM].size;
	uint64_t value;

	if (!size) {
		c->is_broken = true;
		return 0;
	}
	value = take(c, size);
	if (forms[encoding & FORM].is_signed && size < 8 && value >> (size * 8 - 1))
		value |= ~0ULL << size * 8;
	return value;
}

/* An address; 0 for none. Only what stands for itself or is relative to its own place is read. */
static uint64_t take_pointer(struct cursor *c, uint8_t encoding)
{
	uint64_t place = c->address, value = take_number(c, encoding);

	if (encoding & (RELATIVE & ~TO_ITSELF))
		c->is_broken = true;
	return value && encoding & TO_ITSELF ? place + value : value;
}

/* What entries have in common (CIE). */
struct common {
	uint8_t address_encoding, handler_encoding; /* OMITTED: no pointer to landing pads */
	bool has_sizes;                             /* "z": the augmentation's size is written */
};

static bool read_augmentation(struct cursor *c, const char *letters, struct common *out)
{
	for (const char *l = letters + 1; *l && !c->is_broken; l++) {
		if (*l == 'L')
			out->handler_encoding = (uint8_t)take(c, 1);
		else if (*l == 'R')
			out->address_encoding = (uint8_t)take(c, 1);
		else if (*l == 'P')
			take_number(c, (uint8_t)take(c, 1));
		else if (*l != 'S' && *l != 'B' && *l != 'G')
			return false;
	}
	return !c->is_broken;
}

/* c: behind the entry's id. false for one that can't be read. */
static bool read_common(struct cursor c, struct common *out)
{
	const char *letters = (const char *)c.at + 1;
	uint64_t version = take(&c, 1);

	*out = (struct common){.handler_encoding = OMITTED};
	while (take(&c, 1))
		;
	if (c.is_broken || (version != 1 && version != 3))
		return false;
	take_leb(&c);
	take_leb(&c);
	if (version == 1)
		take(&c, 1);
	else
		take_leb(&c);
	if (*letters != 'z')
		return !*letters && !c.is_broken;
	out->has_sizes = true;
	take_leb(&c);
	return read_augmentation(&c, letters, out);
}

/* Whether the rows start by describing a stack that has moved: DW_CFA_def_cfa and the like before
 * the first step forward. */
static bool begins_moved(struct cursor rows)
{
	uint8_t first = (uint8_t)take(&rows, 1);

	return !rows.is_broken &&
	       (first == 0x0c || first == 0x0d || first == 0x0e || first == 0x0f || first >= 0x80);
}

/* c: behind the entry's id. */
static bool read_frame(struct cursor c, const struct common *common, struct elf_frame *out)
{
	*out = (struct elf_frame){};
	out->address = take_pointer(&c, common->address_encoding);
	out->size = take_number(&c, common->address_encoding & FORM);
	if (common->has_sizes) {
		struct cursor extra = take_part(&c, take_leb(&c));

		if (common->handler_encoding != OMITTED)
			out->has_landing_pads = take_number(&extra, common->handler_encoding) != 0;
		c.is_broken |= extra.is_broken;
	}
	out->is_part = begins_moved(c);
	return !c.is_broken && out->address && out->size;
}

struct frames {
	struct elf_frame *items;
	size_t n, capacity;
};

static void add(struct frames *f, const struct elf_frame *one)
{
	if (f->n == f->capacity) {
		f->capacity = f->capacity ? 2 * f->capacity : 256;
		f->items = memory_grow(f->items, f->capacity, sizeof(*f->items));
	}
	f->items[f->n++] = *one;
}

/* One entry of either kind; whole is the section, for the way back from a frame to what it has in
 * common with others. */
static void read_entry(struct frames *frames, const struct cursor *whole, struct cursor c)
{
	const uint8_t *id_at = c.at;
	uint64_t back = take(&c, 4);
	struct cursor common_at = *whole;
	struct elf_frame frame;
	struct common common;

	if (!back || c.is_broken || back > (uint64_t)(id_at - whole->at))
		return;
	take_part(&common_at, (uint64_t)(id_at - whole->at) - back);
	common_at = take_part(&common_at, take(&common_at, 4));
	if (take(&common_at, 4) || common_at.is_broken)
		return;
	if (read_common(common_at, &common) && read_frame(c, &common, &frame))
		add(frames, &frame);
}

static void read_all(struct frames *frames, struct cursor whole)
{
	struct cursor c = whole;

	while (c.at < c.end && !c.is_broken) {
		uint64_t size = take(&c, 4);

		/* The 64-bit form is not used by any compiler for this section. */
		if (!size || size == 0xffffffff)
			return;
		read_entry(frames, &whole, take_part(&c, size));
	}
}

static int by_address(const void *a, const void *b)
{
	const struct elf_frame *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static void load(struct elf_file *f)
{
	_cleanup_(error_deinit) struct error ignored = {};
	_cleanup_(freep) void *bytes = NULL;
	const Elf64_Shdr *s = section_find_named(f, ".eh_frame");
	struct frames frames = {};

	if (!s || s->sh_size > largest_frames_bytes ||
		file_read_table(f, &bytes, s->sh_offset, s->sh_size, 1, "its frames", &ignored))
		return;
	read_all(&frames, (struct cursor){bytes, (uint8_t *)bytes + s->sh_size, s->sh_addr, false});
	if (frames.n)
		qsort(frames.items, frames.n, sizeof(*frames.items), by_address);
	f->frames = frames.items;
	f->n_frames = frames.n;
}

const struct elf_frame *elf_file_frame(struct elf_file *f, uint64_t address)
{
	size_t first = 0, end;

	if (!f->frames_are_loaded)
		load(f);
	f->frames_are_loaded = true;
	/* The last that begins at or before the address. */
	for (end = f->n_frames; first < end;) {
		size_t middle = first + (end - first) / 2;

		if (f->frames[middle].address <= address)
			first = middle + 1;
		else
			end = middle;
	}
	if (!first || address - f->frames[first - 1].address >= f->frames[first - 1].size)
		return NULL;
	return &f->frames[first - 1];
}
