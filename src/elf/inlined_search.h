/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the reader that counts inlined functions: what its walk over debug information finds. */
#pragma once

#include <elfutils/libdw.h>
#include <uthash.h>

#include "base/buffer.h"
#include "elf/demangle.h"
#include "elf/inlined_wire.h"

/* An abstract entry, or one of a function that is none. */
struct entry {
	Dwarf_Off offset;
	Dwarf_Die die;
	uint32_t n_places;
	Dwarf_Die callers[INLINED_CALLERS_SHOWN];
	uint32_t n_callers; /* that were seen one after the other */
	Dwarf_Off last_caller;
	/* The type that it is in, where has_home: a lambda's has a place in the source, it has
	 * none.
	 */
	Dwarf_Die home;
	bool has_home;
	UT_hash_handle hh;
};

/* What tells a function from all others. */
struct identity {
	const char *linkage_name; /* or NULL */
	const char *name;
	const char *file; /* NULL where other files can call it: then names are enough */
	int line, column;
	Dwarf_Off offset; /* of the entry, where nothing but that tells it; or 0 */
};

/* What is found out of an item of the question. */
struct finding {
	bool is_known;
	Dwarf_Die die; /* the function's abstract entry where there is one */
	struct identity identity;
	uint32_t n_places;
	struct buffer callers;
	uint32_t n_callers;
};

struct search {
	const struct inlined_question *question;
	struct entry *entries; /* uthash by offset */
	struct finding *findings;
	struct demangled demangled;
};

/* From entries to findings. */
void inlined_add_up(struct search *s);
