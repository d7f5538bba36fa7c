// SPDX-License-Identifier: Apache-2.0
/*
 * Code that puts itself into huge pages: it copies the program's instructions, with any breakpoint
 * among them, to memory that is no file's, where the kernel knows of none. The copy of a breakpoint
 * ends the program (SIGTRAP). Who does it is told by the function that does: see the sources of
 * BOLT (bolt/runtime/hugify.cpp), Intel's iodlr and Node.js (src/large_pages). BOLT leaves that
 * function without a name, but lets the program start in a section of its own.
 *
 * PHP's is in a library of its own (opcache) and off unless its settings say otherwise: there only
 * the processes tell.
 */
#include "elf/layout.h"

#include <string.h>

#include "base/cleanup.h"

static const struct elf_mover movers[] = {
	{"__bolt_hugify_self", "it copies its code to huge pages, as BOLT made it (hugify)"},
	{"MapStaticCodeToLargePages",
		"it copies its code to huge pages (MapStaticCodeToLargePages)"},
	{"MapStaticCodeRangeToLargePages",
		"it copies its code to huge pages (MapStaticCodeRangeToLargePages)"},
	{"MapDSOToLargePages", "it copies its code to huge pages (MapDSOToLargePages)"},
	{"_ZN4node25MapStaticCodeToLargePagesEv",
		"a process runs it with --use-largepages, which copies its code to huge pages",
		.option = "--use-largepages", .variable = "NODE_OPTIONS"},
};

const struct elf_mover *elf_symbol_moves(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(movers); i++)
		if (!strcmp(movers[i].symbol, name))
			return &movers[i];
	return NULL;
}

static bool is_of_bolt(const char *section)
{
	static const char beginning[] = ".text.bolt.extra";

	return section && !strncmp(section, beginning, sizeof(beginning) - 1);
}

const char *elf_file_moves(const struct elf_file *f)
{
	_cleanup_(error_deinit) struct error ignored = {};
	_cleanup_(strings_deinit) struct strings names = {};

	if (strings_load(&names, f, f->header.e_shstrndx, &ignored))
		return NULL;
	for (size_t i = 0; i < f->n_sections; i++) {
		const Elf64_Shdr *s = &f->sections[i];

		if (f->header.e_entry - s->sh_addr < s->sh_size &&
			is_of_bolt(strings_at(&names, s->sh_name)))
			return "it starts with code of BOLT, which copies the program to huge "
			       "pages (hugify)";
	}
	return NULL;
}
