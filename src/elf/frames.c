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
#include "elf/cursor.h"
#include "elf/layout.h"

#include <errno.h>
#include <string.h>

#include "base/memory.h"
#include "base/sorted.h"

static const uint64_t largest_frames_bytes = 256 << 20;

/* What entries have in common (CIE). */
struct common {
	uint8_t address_encoding, handler_encoding; /* CURSOR_OMITTED: no pointer to landing pads */
	bool has_sizes;                             /* "z": the augmentation's size is written */
};

static bool read_augmentation(struct cursor *c, const char *letters, struct common *out)
{
	for (const char *l = letters + 1; *l && !c->is_broken; l++) {
		if (*l == 'L')
			out->handler_encoding = (uint8_t)cursor_take(c, 1);
		else if (*l == 'R')
			out->address_encoding = (uint8_t)cursor_take(c, 1);
		else if (*l == 'P')
			cursor_number(c, (uint8_t)cursor_take(c, 1));
		else if (*l != 'S' && *l != 'B' && *l != 'G')
			return false;
	}
	return !c->is_broken;
}

/* c: behind the entry's id. false for one that can't be read. */
static bool read_common(struct cursor c, struct common *out)
{
	const char *letters = (const char *)c.at + 1;
	uint64_t version = cursor_take(&c, 1);

	*out = (struct common){.handler_encoding = CURSOR_OMITTED};
	while (cursor_take(&c, 1))
		;
	if (c.is_broken || (version != 1 && version != 3))
		return false;
	cursor_leb(&c);
	cursor_leb(&c);
	if (version == 1)
		cursor_take(&c, 1);
	else
		cursor_leb(&c);
	if (*letters != 'z')
		return !*letters && !c.is_broken;
	out->has_sizes = true;
	cursor_leb(&c);
	return read_augmentation(&c, letters, out);
}

/* Whether the rows start by describing a stack that has moved: DW_CFA_def_cfa and the like before
 * the first step forward. */
static bool begins_moved(struct cursor rows)
{
	uint8_t first = (uint8_t)cursor_take(&rows, 1);

	return !rows.is_broken &&
	       (first == 0x0c || first == 0x0d || first == 0x0e || first == 0x0f || first >= 0x80);
}

/* c: behind the entry's id. */
static bool read_frame(struct cursor c, const struct common *common, struct elf_frame *out)
{
	*out = (struct elf_frame){};
	out->address = cursor_pointer(&c, common->address_encoding);
	out->size = cursor_number(&c, common->address_encoding & CURSOR_FORM);
	if (common->has_sizes) {
		struct cursor extra = cursor_part(&c, cursor_leb(&c));

		if (common->handler_encoding != CURSOR_OMITTED)
			out->handlers = cursor_pointer(&extra, common->handler_encoding);
		if (extra.is_broken)
			out->handlers = ELF_HANDLERS_UNKNOWN;
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
	uint64_t back = cursor_take(&c, 4);
	struct cursor common_at = *whole;
	struct elf_frame frame;
	struct common common;

	if (!back || c.is_broken || back > (uint64_t)(id_at - whole->at))
		return;
	cursor_part(&common_at, (uint64_t)(id_at - whole->at) - back);
	common_at = cursor_part(&common_at, cursor_take(&common_at, 4));
	if (cursor_take(&common_at, 4) || common_at.is_broken)
		return;
	if (read_common(common_at, &common) && read_frame(c, &common, &frame))
		add(frames, &frame);
}

static void read_all(struct frames *frames, struct cursor whole)
{
	struct cursor c = whole;

	while (c.at < c.end && !c.is_broken) {
		uint64_t size = cursor_take(&c, 4);

		/* The 64-bit form is not used by any compiler for this section. */
		if (!size || size == 0xffffffff)
			return;
		read_entry(frames, &whole, cursor_part(&c, size));
	}
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
		qsort(frames.items, frames.n, sizeof(*frames.items), sorted_compare);
	f->frames = frames.items;
	f->n_frames = frames.n;
}

const struct elf_frame *elf_file_frame(struct elf_file *f, uint64_t address)
{
	size_t n_before;

	if (!f->frames_are_loaded)
		load(f);
	f->frames_are_loaded = true;
	n_before = sorted_above(f->frames, f->n_frames, sizeof(*f->frames), address);
	if (!n_before || address - f->frames[n_before - 1].address >= f->frames[n_before - 1].size)
		return NULL;
	return &f->frames[n_before - 1];
}
