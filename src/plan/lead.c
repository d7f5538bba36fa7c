// SPDX-License-Identifier: Apache-2.0
/* Each name is looked for among all of the file's, so that how often that is done is bounded. */
#include "plan/lead.h"

#include "base/memory.h"
#include "plan/forms.h"

enum { MOST_NAMES_READ = 1 << 22 };

struct lead {
	struct file *file;
	uint64_t address;
	char *name; /* owned */
};

static bool is_there(uint64_t address, const void *data)
{
	const struct lead *l = data;

	l->file->names_read++;
	return address == l->address;
}

static int look(const struct elf_symbol *s, void *data)
{
	struct lead *l = data;

	if (s->kind != ELF_FUNCTION)
		return 0;
	l->name = memory_strdup(s->name);
	return 1;
}

const char *lead_name(struct file *f, uint64_t address, struct arena *a)
{
	_cleanup_(error_deinit) struct error ignored = {};
	struct lead l = {.file = f, .address = address};
	const char *name;

	if (f->names_read < MOST_NAMES_READ)
		elf_file_each_symbol_at(f->elf, is_there, look, &l, &ignored);
	name = l.name ? readable_of(&f->forms, arena_strdup(a, l.name), a).full : NULL;
	free(l.name);
	return name;
}

const char *lead_reason(struct file *f, uint64_t address, struct arena *a)
{
	const char *name;

	if (elf_file_is_import(f->elf, address))
		return "it only jumps to an imported function";
	name = lead_name(f, address, a);
	return name ? arena_printf(a, "it only jumps to %s, which can be probed in its place", name)
		    : NULL;
}
