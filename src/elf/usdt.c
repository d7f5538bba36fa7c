// SPDX-License-Identifier: Apache-2.0
/*
 * The notes that sys/sdt.h leaves: owner "stapsdt", type 3, and then three addresses and three
 * texts. The first address is the nop's; the second that of the section .stapsdt.base as it was
 * when the file was linked: what has moved the file's addresses since (prelink) has moved that
 * section, and the distance tells by how much. The third is the semaphore's, or 0.
 *
 * The notes are not loaded when the program runs, so that they are seldom in a segment: without
 * section headers a file shows its points only where a linker put them into one.
 */
#include "elf/usdt.h"

#include <errno.h>
#include <string.h>

#include "base/memory.h"
#include "elf/cursor.h"
#include "elf/layout.h"
#include "elf/note.h"

enum { NOTE_OF_POINT = 3, NAME_LONGEST = 1000 };
static const uint64_t most_bytes = 16 << 20; /* of all notes of a file together */

struct reading {
	const struct elf_file *file;
	bool has_base;
	uint64_t base; /* address of .stapsdt.base now */
	uint64_t bytes_left;
	elf_point_visit *visit;
	void *data;
	struct error *error;
};

static int broken(struct reading *r)
{
	return error_set(r->error, -ENOEXEC, "broken: its notes of USDT points make no sense");
}

/* The text at the cursor, which moves on behind its end; NULL where it has none. */
static const char *take_text(struct cursor *c)
{
	const char *text = (const char *)c->at;
	const uint8_t *end = memchr(c->at, '\0', (size_t)(c->end - c->at));

	if (!end) {
		c->is_broken = true;
		return NULL;
	}
	c->at = end + 1;
	return text;
}

/* How far the file's addresses have moved since it was linked. */
static uint64_t distance_moved(const struct reading *r, uint64_t linked_base)
{
	return r->has_base && linked_base ? r->base - linked_base : 0;
}

static int read_point(struct reading *r, struct cursor description)
{
	_cleanup_(freep) char *full_name = NULL;
	struct cursor *c = &description;
	uint64_t address = cursor_take(c, 8), base = cursor_take(c, 8);
	uint64_t semaphore = cursor_take(c, 8), moved = distance_moved(r, base);
	const char *provider = take_text(c), *name = take_text(c), *arguments = take_text(c);

	if (c->is_broken || !*provider || !*name || strlen(provider) > NAME_LONGEST ||
		strlen(name) > NAME_LONGEST)
		return broken(r);
	full_name = memory_printf("%s:%s", provider, name);
	return r->visit(
		&(struct elf_point){
			.name = full_name,
			.arguments = arguments,
			.address = address + moved,
			.semaphore = semaphore ? semaphore + moved : 0,
		},
		r->data);
}

static int read_notes(struct reading *r, struct cursor c, uint64_t alignment)
{
	struct note note;
	int result = 0;

	while (!result && note_next(&note, &c, alignment))
		if (note_is(&note, "stapsdt", NOTE_OF_POINT))
			result = read_point(r, note.description);
	return c.is_broken ? broken(r) : result;
}

static int load_notes(struct reading *r, uint64_t offset, uint64_t size, uint64_t alignment)
{
	_cleanup_(freep) void *table = NULL;
	int result;

	if (size > r->bytes_left)
		return error_set(r->error, -ENOEXEC, "its notes are too large");
	r->bytes_left -= size;
	result = file_read_table(r->file, &table, offset, size, 1, "its notes", r->error);
	if (result)
		return result;
	return read_notes(
		r, (struct cursor){.at = table, .end = (uint8_t *)table + size}, alignment);
}

static int load_segments(struct reading *r)
{
	int result = 0;

	for (size_t i = 0; i < r->file->n_segments && !result; i++) {
		const Elf64_Phdr *s = &r->file->segments[i];

		if (s->p_type == PT_NOTE)
			result = load_notes(r, s->p_offset, s->p_filesz, s->p_align);
	}
	return result;
}

int elf_file_each_point(
	const struct elf_file *f, elf_point_visit *visit, void *data, struct error *e)
{
	const Elf64_Shdr *base = section_find_named(f, ".stapsdt.base");
	const Elf64_Shdr *notes = section_find_named(f, ".note.stapsdt");
	struct reading r = {
		.file = f,
		.has_base = base,
		.base = base ? base->sh_addr : 0,
		.bytes_left = most_bytes,
		.visit = visit,
		.data = data,
		.error = e,
	};

	if (!elf_file_has_sections(f))
		return load_segments(&r);
	return notes ? load_notes(&r, notes->sh_offset, notes->sh_size, notes->sh_addralign) : 0;
}

const char *elf_file_find_semaphore(const struct elf_file *f, uint64_t address, uint64_t *offset)
{
	uint16_t value;

	if (address % sizeof(value))
		return "its semaphore lies at an odd address";
	for (size_t i = 0; i < f->n_segments; i++) {
		const Elf64_Phdr *s = &f->segments[i];
		uint64_t distance = address - s->p_vaddr;

		if (s->p_type != PT_LOAD || !(s->p_flags & PF_W) || address < s->p_vaddr ||
			distance >= s->p_filesz || sizeof(value) > s->p_filesz - distance)
			continue;
		if (elf_file_read(f, s->p_offset + distance, &value, sizeof(value)) || value)
			return "its semaphore isn't 0 in the file: something else lies there";
		*offset = s->p_offset + distance;
		return NULL;
	}
	return "its semaphore is not in the file's writable data";
}
