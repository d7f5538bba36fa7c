/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of symbols, kept from a walk over a file. */
#pragma once

#include "base/arena.h"
#include "elf/file.h"

struct symbol {
	const char *name, *version;
	bool is_default_version;
	enum elf_symbol_kind kind;
	uint64_t address, size, offset;
	unsigned fit; /* of the name that it was kept for, see plan/forms.h */
	enum elf_source source;
};

struct symbols {
	struct symbol *items;
	size_t n, capacity;
};

/* Whether a symbol of that kind is code in the file, be it fit for a probe or not. */
bool is_code(enum elf_symbol_kind kind);

void symbols_add(struct symbols *s, const struct elf_symbol *one, unsigned fit, struct arena *a);

/* Leaves one of those that have the same address, in order of address: the one with the shortest
 * name, of these the first in the alphabet. It is an IFUNC if any is, else a function if any is. */
void symbols_unify(struct symbols *s);
