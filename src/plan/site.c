// SPDX-License-Identifier: Apache-2.0
/*
 * A breakpoint goes where the kernel is told, so a site is refused unless its first instruction
 * decodes within the function, can be probed, and is run once a call. Reading a function's code for
 * that is bounded, because a hostile file may say that any number of its functions are huge.
 */
#include "plan/site.h"

#include <string.h>

#include "base/memory.h"
#include "plan/exit.h"

enum { LARGEST_FUNCTION = 16 << 20, CODE_BUDGET = 64 << 20 };

static const char nop5_refusal[] =
	"starts with a 5-byte nop, which kernels from 6.18 on may turn into a call unsafely";

/* Why calls would be miscounted, seen from all of the function's instructions. */
static const char *loop_refusal(const struct function *f)
{
	_cleanup_(freep) uint8_t *code = NULL;
	const struct elf_file *elf = f->selection->file->elf;
	const struct symbol *s = &f->symbol;

	if (s->size > LARGEST_FUNCTION)
		return "larger than 16 MiB, by the symbol table";
	f->selection->code_read += s->size;
	if (f->selection->code_read > CODE_BUDGET)
		return "one of too many: the functions selected in this file exceed 64 MiB";
	code = memory_alloc(s->size);
	if (elf_file_read(elf, s->offset, code, s->size))
		return "beyond the end of the file";
	return code_examine_loop(elf_file_machine(elf), code, s->size);
}

/* Reads the entry's bytes, as many as there are before the file ends. */
static void read_entry(struct plan_site *s, const struct elf_file *elf)
{
	size_t n = sizeof(s->bytes);

	while (n && elf_file_read(elf, s->offset, s->bytes, n))
		n--;
	s->n_bytes = (uint8_t)n;
}

static const char *entry_refusal(struct plan_site *s, const struct function *f)
{
	struct elf_file *elf = f->selection->file->elf;
	struct code_site code;
	size_t n;

	if (f->refusal)
		return f->refusal;
	read_entry(s, elf);
	n = s->size < s->n_bytes ? s->size : s->n_bytes;
	code_examine_entry(elf_file_machine(elf), s->bytes, n, s->address, &code);
	s->cost = code.cost;
	if (code.refusal)
		return code.refusal;
	if (code.cost == COST_NOP5)
		return nop5_refusal;
	return loop_refusal(f);
}

static const char *symbol_text(const struct symbol *s, struct arena *a)
{
	if (!s->version)
		return arena_strdup(a, s->name);
	return arena_printf(a, "%s%s%s", s->name, s->is_default_version ? "@@" : "@", s->version);
}

static const char *alias_text(const struct function *f, struct arena *a)
{
	_cleanup_(buffer_deinit) struct buffer text = {};
	struct listing l = {};

	for (size_t i = 0; f->names && i < f->names->n_names; i++)
		if (strcmp(f->names->names[i], f->label) != 0)
			listing_add(&l, f->names->names[i]);
	if (f->names)
		l.n += f->names->n_unnamed;
	listing_put(&l, &text);
	return text.size ? arena_strdup(a, buffer_text(&text)) : NULL;
}

struct plan_site *site_new(struct plan *plan, const struct function *f)
{
	struct arena *a = plan->arena;
	struct plan_site *s = arena_alloc(a, sizeof(*s));
	const char *refusal;

	*s = (struct plan_site){
		.probe = f->selection->probe,
		.target = f->selection->file->target,
		.symbol = symbol_text(&f->symbol, a),
		.aliases = alias_text(f, a),
		.address = f->symbol.address,
		.offset = f->symbol.offset,
		.size = f->symbol.size,
		.cost = COST_STEP,
	};
	refusal = f->is_ambiguous ? "one of several functions that the name means" : NULL;
	if (!refusal)
		refusal = entry_refusal(s, f);
	if (refusal)
		s->refusal = arena_strdup(a, refusal);
	else
		exit_choose(s, f, a);
	return s;
}
