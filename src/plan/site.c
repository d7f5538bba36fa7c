// SPDX-License-Identifier: Apache-2.0
/*
 * A breakpoint goes where the kernel is told, so a site is refused unless the whole function was
 * decoded, the site lies on an instruction of it that can be probed, and control comes there once
 * a call. Decoding is bounded, because a hostile file may say that any number of its functions are
 * huge.
 */
#include "plan/site.h"

#include <string.h>

#include "base/memory.h"
#include "config/carried.h"
#include "plan/body.h"
#include "plan/carried.h"
#include "plan/debug.h"
#include "plan/exit.h"
#include "plan/inlined.h"
#include "plan/go.h"
#include "plan/usdt.h"

enum { CODE_BUDGET = 64 << 20 };

static const char nop5_refusal[] =
	"starts with a 5-byte nop, which kernels from 6.18 on may turn into a call unsafely";

const char writable_refusal[] =
	"in a segment that is mapped writable, where the kernel puts no breakpoint";

uint8_t site_read_bytes(uint8_t *bytes, uint8_t n, const struct elf_file *elf, uint64_t offset)
{
	while (n && elf_file_read(elf, offset, bytes, n))
		n--;
	return n;
}

const char *selection_spend_code(struct selection *s, uint64_t n_bytes)
{
	s->code_read += n_bytes;
	if (s->code_read <= CODE_BUDGET)
		return NULL;
	return "one of too many: the functions selected in this file exceed 64 MiB";
}

/* Decodes the function as the probe would have it; why that can't be, or NULL. */
static const char *decode(struct code_function *code, const struct plan_site *s,
	const struct function *f, const struct exit_objection *objection)
{
	const struct probe *probe = s->probe->config;
	struct body_question question = {.address = s->address, .size = s->size};
	struct elf_file *elf = f->selection->file->elf;
	const char *refusal;

	question.reads_arguments = carried_reads_arguments(probe);
	question.allows_nop5 = f->selection->rules.allows_nop5;
	question.probes_exits = exit_is_by_sites(probe, objection);
	question.allows_depth = question.probes_exits || !exit_is_wanted(probe);
	refusal = selection_spend_code(f->selection, s->size);
	return refusal ? refusal : body_decode(code, elf, &question);
}

/* Puts the site where the code says, or refuses it. */
static const char *place(
	struct plan_site *s, const struct code_entry *entry, const struct plan_rules *rules)
{
	s->behind = (uint8_t)entry->offset;
	s->depth = entry->depth;
	s->is_conditional = entry->is_conditional;
	s->condition = entry->condition;
	s->cost = entry->site.cost;
	s->cost_reason = entry->held_back;
	if (entry->site.refusal)
		return entry->site.refusal;
	if (entry->site.cost == COST_NOP5 && !rules->allows_nop5)
		return nop5_refusal;
	return NULL;
}

/* The kernel has one counter for a place, whoever probes it: where a USDT point's nop is the best
 * site of a function as well, both have the same. */
static void share_semaphore(struct plan_site *s, struct file *f)
{
	uint64_t address;

	if (s->cost > COST_NOP)
		return;
	address = points_semaphore_at(file_points(f), s->address + s->behind);
	if (address)
		elf_file_find_semaphore(f->elf, address, &s->semaphore);
}

static const char *examine(struct plan_site *s, const struct function *f, struct arena *a)
{
	_cleanup_(code_function_deinit) struct code_function code = {};
	struct exit_objection objection = {};
	const char *refusal =
		f->is_ambiguous ? "one of several functions that the name means" : f->refusal;

	if (!refusal)
		refusal = debug_file_doubt(f->selection->file, &f->symbol);
	if (!refusal)
		refusal = go_count_refusal(f->selection->file->elf, s->address);
	if (!refusal) {
		objection = exit_objection(f);
		refusal = decode(&code, s, f, &objection);
	}
	if (!refusal)
		refusal = place(s, &code.entry, &f->selection->rules);
	if (refusal)
		return arena_strdup(a, refusal);
	s->n_bytes = site_read_bytes(
		s->bytes, sizeof(s->bytes), f->selection->file->elf, s->offset + s->behind);
	share_semaphore(s, f->selection->file);
	exit_choose(s, f, &objection, &code, a);
	return s->refusal ? s->refusal : carry_refusal(s, f, a);
}

/* One of the symbol's names, with its version. */
static const char *versioned(const char *name, const struct symbol *s, struct arena *a)
{
	if (!s->version)
		return arena_strdup(a, name);
	return arena_printf(a, "%s%s%s", name, s->is_default_version ? "@@" : "@", s->version);
}

/* Adds another name of the address, unless it reads like one that is told already. */
static void add_alias(struct listing *l, const struct function *f, const char *symbol,
	const char *full, struct arena *a)
{
	const struct symbol *own = &f->symbol;
	struct wanted_name name;
	const char *alias;

	alias = name_with_version(own->name, own->version, own->is_default_version, a);
	if (!strcmp(symbol, alias) || !strcmp(symbol, f->label))
		return;
	name = wanted_name_parse(symbol, a);
	alias = readable_of(&f->selection->file->forms, name.name, a).full;
	alias = name_with_version(alias, name.version, false, a);
	if (strcmp(alias, full) != 0 && strcmp(alias, f->label) != 0 && !listing_has(l, alias))
		listing_add(l, alias);
}

static const char *alias_text(const struct function *f, const char *full, struct arena *a)
{
	_cleanup_(buffer_deinit) struct buffer text = {};
	struct listing l = {};

	for (size_t i = 0; f->names && i < f->names->n_names; i++)
		add_alias(&l, f, f->names->names[i], full, a);
	if (f->names)
		l.n += f->names->n_unnamed;
	listing_put(&l, &text);
	return text.size ? arena_strdup(a, buffer_text(&text)) : NULL;
}

/* Who knows the name, where it isn't the file itself. */
static const char *name_origin(const struct function *f, struct arena *a)
{
	const char *text = elf_file_source_name(f->selection->file->elf, f->symbol.source);

	return f->symbol.source == ELF_SYMTAB || f->symbol.source == ELF_DYNSYM
		       ? NULL
		       : arena_strdup(a, text);
}

static const char *full_name(const struct function *f, struct arena *a)
{
	if (f->readable.full)
		return f->readable.full;
	return readable_of(&f->selection->file->forms, f->symbol.name, a).full;
}

struct plan_site *site_new(struct plan *plan, const struct function *f)
{
	struct arena *a = plan->arena;
	struct plan_site *s;
	const char *full;

	if (f->places)
		return usdt_site_new(plan, f);
	full = full_name(f, a);
	s = arena_alloc(a, sizeof(*s));
	*s = (struct plan_site){
		.probe = f->selection->probe,
		.target = f->selection->file->target,
		.name = versioned(full, &f->symbol, a),
		.symbol = versioned(f->symbol.name, &f->symbol, a),
		.aliases = alias_text(f, full, a),
		.name_origin = name_origin(f, a),
		.is_changed_clone = f->is_changed_clone,
		.is_go = is_called_as_go(f->selection->file->elf, f->symbol.address),
		.inlined = inlined_at(f->selection->file->target, f->symbol.address, a),
		.address = f->symbol.address,
		.offset = f->symbol.offset,
		.size = f->symbol.size,
		.cost = COST_STEP,
	};
	s->refusal = examine(s, f, a);
	return s;
}
