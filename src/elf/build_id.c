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

enum { LARGEST_NOTES_BYTES = 64 << 10 };

static const char owner[] = "GNU";

/* A piece of notes as it is in the file. */
struct notes {
	uint64_t offset, size;
	uint64_t alignment; /* of descriptions; what is not 8 is 4 */
};

static uint64_t align(uint64_t value, uint64_t alignment)
{
	uint64_t to = alignment == 8 ? 8 : 4;

	return (value + to - 1) & ~(to - 1);
}

/* The description of the note that says the build-id; false where it isn't among them. */
static bool search(const uint8_t *bytes, const struct notes *n, struct elf_build_id *out)
{
	for (uint64_t at = 0; at + sizeof(Elf64_Nhdr) <= n->size;) {
		Elf64_Nhdr note;
		uint64_t name = at + sizeof(note), description;

		memcpy(&note, bytes + at, sizeof(note));
		description = align(name + note.n_namesz, n->alignment);
		if (description > n->size || note.n_descsz > n->size - description)
			return false;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(owner) &&
			!memcmp(bytes + name, owner, sizeof(owner)) && note.n_descsz &&
			note.n_descsz <= sizeof(out->bytes)) {
			out->n = note.n_descsz;
			memcpy(out->bytes, bytes + description, out->n);
			return true;
		}
		at = align(description + note.n_descsz, n->alignment);
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
	return search(bytes, n, out);
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
	end = align(n + 1, 4);
	if (!n || n > NAME_MAX || end + sizeof(out->checksum) > s->sh_size || strchr(bytes, '/'))
		return false;
	memcpy(out->name, bytes, n + 1);
	memcpy(&out->checksum, bytes + end, sizeof(out->checksum));
	return true;
}
