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
	UT_hash_handle hh;
};

/* What tells a function from all others. */
struct identity {
	const char *linkage_name; /* or NULL */
	const char *name;
	const char *file; /* NULL where other files can call it: then names are enough */
	int line;
};

/* What is found out of an item of the question. */
struct finding {
	bool is_known;
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

/* die: of a function, an abstract one where there is one. */
struct identity inlined_identify(Dwarf_Die *die);

/* From entries to findings. */
void inlined_add_up(struct search *s);
