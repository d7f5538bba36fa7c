// SPDX-License-Identifier: Apache-2.0
/*
 * The road to Go's tables: headers, of which one has a moduledata that agrees with it, whose tables
 * are in order and fit the code. A file with sections is taken for Go's where one of them is; in a
 * file without, all is searched.
 */
#include "elf/go_table.h"
#include "elf/layout.h"

static bool has_go_section(const struct elf_file *f)
{
	static const char *const names[] = {
		".gopclntab", ".go.buildinfo", ".note.go.buildid", ".data.rel.ro.gopclntab"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (section_find_named(f, names[i]))
			return true;
	return false;
}

/* Why there is no table, where there are headers; NULL and *out. */
static const char *load(
	struct go_table **out, const struct elf_file *f, const struct go_headers *headers)
{
	_cleanup_(go_table_freep) struct go_table *t = NULL;
	struct go_module module;
	size_t which;

	if (!headers->n)
		return headers->has_old ? "it was built by a Go older than 1.16"
					: "its Go tables can't be found";
	if (go_module_find(&module, &which, f, headers))
		return "where its Go code begins can't be told";
	t = go_table_load(f, &headers->items[which], &module);
	if (!t)
		return "its Go tables are broken";
	if (!go_table_fits_code(t))
		return "its Go tables don't fit its code";
	t->version = go_build_version(f);
	*out = TAKE_PTR(t);
	return NULL;
}

static void look_everywhere(struct elf_file *f)
{
	struct go_headers headers = {};

	if (go_headers_by_search(&headers, f))
		f->go_doubt = "its Go tables, if there are any, can't be read";
	else if (headers.n || headers.has_old || elf_file_has_sections(f))
		f->go_doubt = load(&f->go, f, &headers);
}

static void look(struct elf_file *f)
{
	struct go_headers headers = {};

	if (elf_file_has_sections(f) && !has_go_section(f))
		return;
	go_headers_by_section(&headers, f);
	f->go_doubt = headers.n ? load(&f->go, f, &headers) : NULL;
	if (!f->go)
		look_everywhere(f);
}

const struct go_table *elf_file_go(struct elf_file *f, const char **why)
{
	if (!f->go_is_known)
		look(f);
	f->go_is_known = true;
	*why = f->go_doubt;
	return f->go;
}
