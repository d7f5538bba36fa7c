// SPDX-License-Identifier: Apache-2.0
/*
 * By which release of Go a program was built. The linker leaves a note of it at the beginning of
 * writable data: a magic number, and 32 bytes from it the version, its length in front; before Go
 * 1.18 a pointer to a string instead.
 */
#include "elf/go_table.h"
#include "elf/layout.h"
#include "elf/relocation.h"

#include <ctype.h>
#include <string.h>

#include "base/memory.h"

enum { HEADER_SIZE = 32, FLAGS = 15, POINTER = 16, IS_INLINE = 2, LONGEST_VERSION = 127 };

struct note {
	const struct elf_file *file;
	uint64_t address; /* 0: not found yet */
};

static int look_at_word(uint64_t address, uint64_t word, void *data)
{
	static const char magic[] = "\xff Go buildinf:";
	struct note *note = data;
	char bytes[sizeof(magic) - 1];

	if (memcmp(&word, magic, sizeof(word)) ||
		elf_file_read_address(note->file, address, bytes, sizeof(bytes)) ||
		memcmp(bytes, magic, sizeof(bytes)))
		return 0;
	note->address = address;
	return 1;
}

/* Where the text is, and how long. */
static bool find_text(const struct note *note, uint64_t *address, uint64_t *length)
{
	const struct elf_file *f = note->file;
	uint8_t header[HEADER_SIZE + 1];
	uint64_t place, string[2]; /* a pointer and a length */

	if (elf_file_read_address(f, note->address, header, sizeof(header)))
		return false;
	if (header[FLAGS] & IS_INLINE) {
		*address = note->address + sizeof(header);
		*length = header[HEADER_SIZE];
		return true;
	}
	if (relocation_read(f, note->address + POINTER, &place, 1) ||
		relocation_read(f, place, string, 2))
		return false;
	*address = string[0];
	*length = string[1];
	return true;
}

char *go_build_version(const struct elf_file *f)
{
	struct note note = {.file = f};
	uint64_t address, length;
	char text[LONGEST_VERSION + 1] = {};

	if (segment_each_word(f, PF_W, look_at_word, &note) <= 0 ||
		!find_text(&note, &address, &length) || !length || length > LONGEST_VERSION ||
		elf_file_read_address(f, address, text, length))
		return NULL;
	for (const char *c = text; c < text + length; c++)
		if (!isprint((unsigned char)*c))
			return NULL;
	return memory_strdup(text);
}
