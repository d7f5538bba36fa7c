// SPDX-License-Identifier: Apache-2.0
/* The table by which a file tells the dynamic linker what it needs and where that may be. */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/memory.h"
#include "elf/layout.h"

enum { MOST_DYNAMIC_ENTRIES = 65536 };

void dynamic_deinit(struct dynamic *d)
{
	free(d->entries);
	strings_deinit(&d->names);
}

int dynamic_load(struct dynamic *d, const struct elf_file *f, struct error *e)
{
	const Elf64_Shdr *s = section_find(f, SHT_DYNAMIC);
	void *table;
	uint64_t n;
	int r;

	if (!s)
		return 0;
	n = s->sh_size / sizeof(*d->entries);
	if (n > MOST_DYNAMIC_ENTRIES)
		return error_set(e, -ENOEXEC, "broken: its dynamic section is too large");
	r = file_read_table(
		f, &table, s->sh_offset, n, sizeof(*d->entries), "its dynamic section", e);
	if (r)
		return r;
	d->entries = table;
	d->n_entries = n;
	return strings_load(&d->names, f, s->sh_link, e);
}

const char *dynamic_next(const struct dynamic *d, int64_t tag, size_t *position)
{
	while (*position < d->n_entries) {
		const Elf64_Dyn *entry = &d->entries[(*position)++];

		if (entry->d_tag == tag)
			return strings_at(&d->names, entry->d_un.d_val);
	}
	return NULL;
}

void elf_file_each_needed(const struct elf_file *f, elf_text_visit *visit, void *data)
{
	_cleanup_(error_deinit) struct error ignored = {};
	_cleanup_(dynamic_deinit) struct dynamic d = {};
	const char *name;
	size_t position = 0;

	if (dynamic_load(&d, f, &ignored))
		return;
	while ((name = dynamic_next(&d, DT_NEEDED, &position)))
		if (strnlen(name, PATH_MAX) < PATH_MAX)
			visit(name, data);
}

char *elf_file_library_path(const struct elf_file *f, bool *is_inherited)
{
	_cleanup_(error_deinit) struct error ignored = {};
	_cleanup_(dynamic_deinit) struct dynamic d = {};
	const char *path;
	size_t position = 0;

	if (dynamic_load(&d, f, &ignored))
		return NULL;
	path = dynamic_next(&d, DT_RUNPATH, &position);
	*is_inherited = !path;
	position = 0;
	if (!path)
		path = dynamic_next(&d, DT_RPATH, &position);
	return path && strnlen(path, PATH_MAX) < PATH_MAX ? memory_strdup(path) : NULL;
}
