// SPDX-License-Identifier: Apache-2.0
/*
 * What ties a program to the file that its debug information was split off into: the build-id, a
 * hash that the linker put into a note of both; and the debuglink, a name and a checksum that
 * the program was given when they were split.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/memory.h"
#include "elf/debug.h"
#include "elf/layout.h"
#include "elf/note.h"

enum { LARGEST_NOTES_BYTES = 64 << 10 };

/* A piece of notes as it is in the file. */
struct notes {
	uint64_t offset, size;
	uint64_t alignment;
};

/* The description of the note that says the build-id; false where it isn't among them. */
static bool search(struct cursor c, uint64_t alignment, struct elf_build_id *out)
{
	struct note note;

	while (note_next(&note, &c, alignment)) {
		size_t n = (size_t)(note.description.end - note.description.at);

		if (!note_is(&note, "GNU", NT_GNU_BUILD_ID) || !n || n > sizeof(out->bytes))
			continue;
		out->n = n;
		memcpy(out->bytes, note.description.at, n);
		return true;
	}
	return false;
}

static bool search_in(const struct elf_file *f, const struct notes *n, struct elf_build_id *out)
{
	_cleanup_(error_deinit) struct error ignored = {};
	_cleanup_(freep) void *bytes = NULL;

	if (n->size > LARGEST_NOTES_BYTES ||
		file_read_table(f, &bytes, n->offset, n->size, 1, "its notes", &ignored))
		return false;
	return search(
		(struct cursor){.at = bytes, .end = (uint8_t *)bytes + n->size}, n->alignment, out);
}

/* A file that debug information was split off into has its notes where its sections say: of its
 * segments it has little more than the headers. A program may have no sections. */
bool elf_file_build_id(const struct elf_file *f, struct elf_build_id *out)
{
	for (size_t i = 0; i < f->n_sections; i++) {
		const Elf64_Shdr *s = &f->sections[i];

		if (s->sh_type == SHT_NOTE &&
			search_in(
				f, &(struct notes){s->sh_offset, s->sh_size, s->sh_addralign}, out))
			return true;
	}
	for (size_t i = 0; i < f->n_segments && !f->n_sections; i++) {
		const Elf64_Phdr *s = &f->segments[i];

		if (s->p_type == PT_NOTE &&
			search_in(f, &(struct notes){s->p_offset, s->p_filesz, s->p_align}, out))
			return true;
	}
	return false;
}

bool elf_file_debuglink(const struct elf_file *f, struct elf_debuglink *out)
{
	const Elf64_Shdr *s = section_find_named(f, ".gnu_debuglink");
	char bytes[NAME_MAX + 1 + 3 + sizeof(out->checksum)] = "";
	size_t n, end;

	if (!s || s->sh_size > sizeof(bytes) || elf_file_read(f, s->sh_offset, bytes, s->sh_size))
		return false;
	n = strnlen(bytes, s->sh_size);
	end = (n + 1 + 3) & ~(size_t)3;
	if (!n || n > NAME_MAX || end + sizeof(out->checksum) > s->sh_size || strchr(bytes, '/'))
		return false;
	memcpy(out->name, bytes, n + 1);
	memcpy(&out->checksum, bytes + end, sizeof(out->checksum));
	return true;
}
