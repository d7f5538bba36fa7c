// SPDX-License-Identifier: Apache-2.0
/*
 * Where functions begin, by the symbols: a sorted table, made when it is first asked for, or by who
 * has to walk over all symbols anyhow: a million of them take a tenth of a second.
 */
#include "elf/layout.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sorted.h"

enum { MOST_STARTS = 1 << 24 };

/* A part that the compiler moved away from its function has a symbol as well. */
static bool is_part(const char *name)
{
	const char *cold = strstr(name, ".cold");

	return cold && (!cold[5] || cold[5] == '.');
}

void starts_deinit(struct starts *s)
{
	free(s->items);
}

void starts_note(struct starts *starts, const struct elf_symbol *s)
{
	if ((s->kind != ELF_FUNCTION && s->kind != ELF_IFUNC) || is_part(s->name))
		return;
	if (starts->n == MOST_STARTS)
		return;
	if (starts->n == starts->capacity) {
		starts->capacity = starts->capacity ? 2 * starts->capacity : 1024;
		starts->items =
			memory_grow(starts->items, starts->capacity, sizeof(*starts->items));
	}
	starts->is_unsorted |= starts->n && starts->items[starts->n - 1] > s->address;
	starts->items[starts->n++] = s->address;
}

void starts_keep(struct starts *starts, struct elf_file *f)
{
	if (f->starts_are_known)
		return;
	if (starts->is_unsorted)
		qsort(starts->items, starts->n, sizeof(*starts->items), sorted_compare);
	f->n_starts = starts->n;
	f->starts = TAKE_PTR(starts->items);
	f->starts_are_known = true;
}

static int note(const struct elf_symbol *s, void *starts)
{
	starts_note(starts, s);
	return 0;
}

static void know_starts(struct elf_file *f)
{
	_cleanup_(starts_deinit) struct starts starts = {};
	_cleanup_(error_deinit) struct error ignored = {};

	if (f->starts_are_known)
		return;
	elf_file_each_symbol(f, note, &starts, &ignored);
	starts_keep(&starts, f);
}

bool elf_file_has_function(struct elf_file *f, uint64_t address)
{
	know_starts(f);
	return f->n_starts &&
	       bsearch(&address, f->starts, f->n_starts, sizeof(address), sorted_compare);
}

uint64_t elf_file_next_function(struct elf_file *f, uint64_t address)
{
	size_t next;

	know_starts(f);
	next = sorted_above(f->starts, f->n_starts, sizeof(*f->starts), address);
	return next < f->n_starts ? f->starts[next] : UINT64_MAX;
}
