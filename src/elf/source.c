// SPDX-License-Identifier: Apache-2.0
/*
 * Where a file's names come from.
 *
 * A program says what its functions are called in its own symbol table; in the smaller table for
 * dynamic linking, which no tool strips off; and, where the first was stripped off, in what
 * took its place. A source is a row. It gives symbols of the file that is probed, whoever wrote
 * them down: where each of them lies is told by that file's segments alone.
 *
 * The file's own tables must be whole, as a name that isn't found would be taken for one that
 * isn't there. What stands in for them is extra: if it is broken, that is told, and the walk goes
 * on without.
 */
#include <errno.h>

#include "elf/go_table.h"
#include "elf/layout.h"

static int each_of_type(
	struct elf_file *f, uint32_t type, const struct symbol_wish *wish, struct error *e)
{
	const Elf64_Shdr *section = section_find(f, type);

	return section ? symbol_table_walk(f, f, section, wish, e) : -ENODATA;
}

static int each_static(struct elf_file *f, const struct symbol_wish *wish, struct error *e)
{
	return each_of_type(f, SHT_SYMTAB, wish, e);
}

static int each_dynamic(struct elf_file *f, const struct symbol_wish *wish, struct error *e)
{
	return each_of_type(f, SHT_DYNSYM, wish, e);
}

static int each_of_debug_file(struct elf_file *f, const struct symbol_wish *wish, struct error *e)
{
	const Elf64_Shdr *section = f->debug ? section_find(f->debug, SHT_SYMTAB) : NULL;
	int r = section ? symbol_table_walk(f, f->debug, section, wish, e) : -ENODATA;

	return r < 0 && section ? error_wrap(e, r, "the debug file %s", f->debug->origin) : r;
}

static const struct source {
	const char *name;
	/* As elf_file_each_symbol(); -ENODATA, which needs no text, where f has no such source.
	 * The visit is told by whoever called it which source this is. */
	int (*each)(struct elf_file *f, const struct symbol_wish *wish, struct error *e);
	bool is_substitute; /* asked only where the file has no .symtab */
} sources[N_ELF_SOURCES] = {
	[ELF_SYMTAB] = {".symtab", each_static},
	[ELF_DYNSYM] = {".dynsym", each_dynamic},
	[ELF_DEBUG_FILE] = {"a debug file", each_of_debug_file, .is_substitute = true},
	[ELF_DEBUGDATA] = {".gnu_debugdata", debugdata_each_symbol, .is_substitute = true},
	[ELF_GO] = {"Go's tables", go_each_symbol, .is_substitute = true},
};

/* Stands between a source and who wants its symbols: tells an end that was asked for from a failure
 * of the source. */
struct relay {
	struct symbol_wish wish;
	enum elf_source source;
	int result; /* of the visit */
};

static bool relay_wants(uint64_t address, const void *data)
{
	const struct relay *relay = data;

	return relay->wish.is_wanted(address, relay->wish.data);
}

static int relay_symbol(const struct elf_symbol *s, void *data)
{
	struct relay *relay = data;
	struct elf_symbol symbol = *s;

	if (relay->wish.is_wanted && !relay_wants(s->address, relay))
		return 0;
	symbol.source = relay->source;
	relay->result = relay->wish.visit(&symbol, relay->wish.data);
	return relay->result;
}

/* 0, -ENODATA, or what ends the walk. */
static int ask(struct elf_file *f, struct relay *relay, struct error *e)
{
	const struct source *source = &sources[relay->source];
	const struct symbol_wish wish = {
		relay_symbol, relay->wish.is_wanted ? relay_wants : NULL, relay};
	int r;

	if (!source->is_substitute)
		return source->each(f, &wish, e);
	if (section_find(f, SHT_SYMTAB))
		return -ENODATA;
	r = source->each(f, &wish, &f->missing);
	if (relay->result)
		error_deinit(&f->missing);
	return r && !relay->result ? -ENODATA : r;
}

static int each_wanted(struct elf_file *f, const struct symbol_wish *wish, struct error *e)
{
	struct relay relay = {.wish = *wish};
	bool has_any = false;

	error_deinit(&f->missing);
	for (relay.source = 0; relay.source < N_ELF_SOURCES; relay.source++) {
		int r = ask(f, &relay, e);

		if (relay.result || (r && r != -ENODATA))
			return r;
		has_any |= !r;
	}
	if (!has_any)
		return error_set(e, -ENODATA, "it has no symbols: they were stripped off");
	return 0;
}

int elf_file_each_symbol(struct elf_file *f, elf_symbol_visit *visit, void *data, struct error *e)
{
	return each_wanted(f, &(struct symbol_wish){visit, NULL, data}, e);
}

int elf_file_each_symbol_at(struct elf_file *f, elf_address_want *is_wanted,
	elf_symbol_visit *visit, void *data, struct error *e)
{
	return each_wanted(f, &(struct symbol_wish){visit, is_wanted, data}, e);
}

int elf_file_each_export(struct elf_file *f, elf_symbol_visit *visit, void *data, struct error *e)
{
	struct relay relay = {.wish = {visit, NULL, data}, .source = ELF_DYNSYM};
	int r = ask(f, &relay, e);

	return r == -ENODATA && !relay.result ? 0 : r;
}

const char *elf_file_missing_names(const struct elf_file *f)
{
	return f->missing.text;
}

const char *elf_file_source_name(const struct elf_file *f, enum elf_source source)
{
	if (source == ELF_DEBUG_FILE && f->debug)
		return f->debug->origin;
	return sources[source].name;
}
