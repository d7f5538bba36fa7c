/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Debug files: what was split off a program when it was built, to be installed elsewhere. They
 * give names; where a function lies is told by the program alone.
 */
#pragma once

#include <limits.h>

#include "elf/file.h"

struct elf_build_id {
	uint8_t bytes[64];
	size_t n;
};

/* false where the file has none. */
bool elf_file_build_id(const struct elf_file *f, struct elf_build_id *out);

struct elf_debuglink {
	char name[NAME_MAX + 1]; /* of a file, without a directory */
	uint32_t checksum;       /* CRC-32 of all of it */
};

bool elf_file_debuglink(const struct elf_file *f, struct elf_debuglink *out);

/* Makes the symbols that f has packed one of its sources, where it has no others; takes some
 * milliseconds, and a process. */
void elf_file_unpack_symbols(struct elf_file *f);

/* Whether a debug file could tell anything of f that it doesn't itself. */
bool elf_file_wants_debug_file(const struct elf_file *f);

/* Makes the file behind fd, which f takes over in any case, one of f's sources. origin: what people
 * call it. -ESTALE with a text where it belongs to another build; -ENOEXEC where it is none. */
int elf_file_add_debug_file(struct elf_file *f, int fd, const char *origin, struct error *e);
