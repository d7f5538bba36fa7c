// SPDX-License-Identifier: Apache-2.0
/*
 * A note only says where a point is. A breakpoint goes there when the file has a nop in that place,
 * which an instruction begins with, and when the counter that guards it, if it has one, is where
 * one can be: the kernel adds to it in every process that runs the file.
 */
#include <inttypes.h>
#include <string.h>

#include "config/carried.h"
#include "plan/body.h"
#include "plan/site.h"
#include "plan/usdt.h"
#include "plan/usdt_arguments.h"

enum { FARTHEST_INSIDE = 1 << 20 };

/* Whether the address is one at which an instruction begins, as far as the file shows where its
 * functions do. */
static const char *place_refusal(struct selection *s, uint64_t address)
{
	struct elf_file *elf = s->file->elf;
	const struct elf_frame *frame = elf_file_frame(elf, address);
	const char *refusal;

	if (!frame || frame->address == address)
		return NULL;
	if (address - frame->address > FARTHEST_INSIDE)
		return "too far inside its function: what lies before can't be looked at";
	refusal = selection_spend_code(s, address - frame->address);
	if (refusal)
		return refusal;
	return body_begins_instruction(elf, frame, address) ? NULL
							    : "in the middle of an instruction";
}

static const char *instruction_refusal(const struct code_site *site, const struct plan_rules *rules)
{
	if (site->refusal)
		return site->refusal;
	if (!site->is_nop)
		return "no nop: the notes of its USDT points are not those of its code";
	if (site->cost == COST_NOP5 && !rules->allows_nop5)
		return "a 5-byte nop, which kernels from 6.18 on may turn into a call unsafely";
	return NULL;
}

/* Looks at a place; why it can't be probed, or NULL. */
static const char *examine(struct plan_exit *out, const struct point *p, struct selection *s)
{
	struct elf_file *elf = s->file->elf;
	struct code_site site;
	const char *refusal;

	if (!elf_file_find_code(elf, p->address, 1, &out->offset))
		return "not in an executable segment of the file";
	if (elf_file_is_writable(elf, p->address))
		return writable_refusal;
	out->n_bytes = site_read_bytes(out->bytes, sizeof(out->bytes), elf, out->offset);
	code_examine_entry(elf_file_machine(elf), out->bytes, out->n_bytes, p->address, &site);
	out->cost = site.cost;
	refusal = instruction_refusal(&site, &s->rules);
	if (!refusal)
		refusal = place_refusal(s, p->address);
	if (!refusal && p->semaphore)
		refusal = elf_file_find_semaphore(elf, p->semaphore, &out->semaphore);
	return refusal;
}

/* Finds what the probe reads there; why it can't, or NULL. */
static const char *find_arguments(
	struct plan_exit *out, const struct point *p, struct selection *s, struct arena *a)
{
	const struct probe *config = s->probe->config;
	const struct operand *operands[CARRIED_MAX_OPERANDS];
	struct usdt_place *place;
	bool is_end = config->usdt.starts.n && !out->is_start;
	size_t n;

	if (!carried_operands(config, operands))
		return NULL;
	place = arena_alloc(a, sizeof(*place));
	n = usdt_arguments_parse(place, elf_file_machine(s->file->elf), p->arguments);
	out->place = place;
	return usdt_arguments_refusal(place, n, config, is_end, a);
}

/* The same with the point's name, where there are several. */
static const char *examine_one_of(
	struct plan_exit *out, const struct point *p, struct selection *s, struct arena *a)
{
	const char *why = examine(out, p, s);

	if (!why)
		why = find_arguments(out, p, s, a);

	return why ? arena_printf(a, "%s at 0x%" PRIx64 ": %s", p->name, p->address, why) : NULL;
}

/* Why calls can't be told by these places; or NULL. */
static const char *places_refusal(const struct point_places *places, struct arena *a)
{
	if (places->n_starts > MOST_PLACES || places->n_ends > MOST_PLACES)
		return "its points are in too many places";
	for (size_t i = 0; i < places->n_starts; i++)
		for (size_t k = 0; k < places->n_ends; k++)
			if (places->starts[i]->address == places->ends[k]->address)
				return arena_printf(a,
					"%s and %s are one place, 0x%" PRIx64
					": the linker has laid the same code together",
					places->starts[i]->name, places->ends[k]->name,
					places->ends[k]->address);
	return NULL;
}

/* Where calls begin and end besides the first place. */
static const char *examine_others(struct plan_site *s, const struct point_places *places,
	struct selection *selection, struct arena *a)
{
	const char *refusal = places_refusal(places, a);

	s->exits = arena_array(a, places->n_starts + places->n_ends, sizeof(*s->exits));
	for (size_t i = 0; !refusal && i < places->n_ends; i++)
		refusal = examine_one_of(&s->exits[s->n_exits++], places->ends[i], selection, a);
	for (size_t i = 1; !refusal && i < places->n_starts; i++) {
		s->exits[s->n_exits].is_start = true;
		refusal = examine_one_of(&s->exits[s->n_exits++], places->starts[i], selection, a);
	}
	return refusal;
}

static const char *fill(
	struct plan_site *s, struct plan_point *point, const struct function *f, struct arena *a)
{
	struct plan_exit first = {.is_start = true};
	const char *refusal = examine(&first, f->places->starts[0], f->selection);

	if (!refusal)
		refusal = find_arguments(&first, f->places->starts[0], f->selection, a);
	point->place = first.place;
	s->offset = first.offset;
	s->semaphore = first.semaphore;
	s->cost = first.cost;
	s->n_bytes = first.n_bytes;
	memcpy(s->bytes, first.bytes, sizeof(s->bytes));
	if (!f->places->n_ends)
		return refusal;
	s->exit = EXIT_BY_EXITS;
	s->calls_of = CALLS_OF_POINTS;
	return refusal ? refusal : examine_others(s, f->places, f->selection, a);
}

struct plan_site *usdt_site_new(struct plan *plan, const struct function *f)
{
	struct arena *a = plan->arena;
	const struct point *first = f->places->starts[0];
	struct plan_point *point = arena_alloc(a, sizeof(*point));
	struct plan_site *s = arena_alloc(a, sizeof(*s));
	const char *name = arena_strdup(a, first->name);

	point->arguments = *first->arguments ? arena_strdup(a, first->arguments) : NULL;
	point->is_guarded = first->semaphore;
	point->is_nested = f->selection->probe->config->usdt.is_nested;
	*s = (struct plan_site){
		.probe = f->selection->probe,
		.target = f->selection->file->target,
		.point = point,
		.name = name,
		.symbol = name,
		.address = first->address,
		.cost = COST_STEP,
	};
	s->refusal = fill(s, point, f, a);
	return s;
}
