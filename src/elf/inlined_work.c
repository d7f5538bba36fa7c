// SPDX-License-Identifier: Apache-2.0
/*
 * The side of the reader.
 *
 * Debug information is a tree for each source file. Where a call was inlined there is an entry that
 * refers to the function's abstract one; a body of its own that the function has refers to
 * it, too, and says its address. Each source file has abstract entries of its own for functions of
 * headers and for those that link-time optimisation brought in. So one walk counts the
 * references to every abstract entry, and notes which belong to addresses that are asked for; then
 * entries that mean the same function are added up (inlined_sum.c).
 *
 * A tree that can't be followed to its end makes all of it unknown: a count that lacks some is no
 * count. So does debug information that lies in further files (split DWARF, dwz).
 */
#include <dwarf.h>
#include <errno.h>

#include "base/memory.h"
#include "base/sorted.h"
#include "elf/inlined_search.h"

enum { DEEPEST = 512, MOST_ORIGINS = 8 };

/* The function that a die is inside of, the type that it is an entry of, and how deep. */
struct place {
	const Dwarf_Die *caller, *type;
	unsigned depth;
};

static struct entry *entry_of(struct search *s, Dwarf_Die *die)
{
	Dwarf_Off offset = dwarf_dieoffset(die);
	struct entry *e;

	HASH_FIND(hh, s->entries, &offset, sizeof(offset), e);
	if (!e) {
		e = memory_alloc(sizeof(*e));
		e->offset = offset;
		e->die = *die;
		HASH_ADD(hh, s->entries, offset, sizeof(offset), e);
	}
	return e;
}

/* The entry that die is a copy of; false where it is none of any. */
static bool find_origin(Dwarf_Die *die, Dwarf_Die *out)
{
	Dwarf_Attribute attribute;

	for (int i = 0; i < MOST_ORIGINS; i++) {
		if (!dwarf_attr(i ? out : die, DW_AT_abstract_origin, &attribute))
			return i > 0;
		if (!dwarf_formref_die(&attribute, out))
			return false;
	}
	return false;
}

static void note_caller(struct entry *e, const Dwarf_Die *caller)
{
	Dwarf_Off offset = dwarf_dieoffset((Dwarf_Die *)caller);

	if (e->n_callers && e->last_caller == offset)
		return;
	e->last_caller = offset;
	if (e->n_callers < INLINED_CALLERS_SHOWN)
		e->callers[e->n_callers] = *caller;
	e->n_callers++;
}

/* Abstract entries hold others' that were inlined before; these are no code. */
static bool is_code(Dwarf_Die *die)
{
	return dwarf_hasattr(die, DW_AT_low_pc) || dwarf_hasattr(die, DW_AT_ranges) ||
	       dwarf_hasattr(die, DW_AT_entry_pc);
}

static int note_inlined(struct search *s, Dwarf_Die *die, const Dwarf_Die *caller)
{
	Dwarf_Die origin;
	struct entry *e;

	if (!caller || !is_code(die))
		return 0;
	if (!find_origin(die, &origin))
		return -EBADMSG;
	e = entry_of(s, &origin);
	e->n_places++;
	note_caller(e, caller);
	return 0;
}

/* Where a function is entered: of several ranges, that is the first. */
static bool find_address(Dwarf_Die *die, Dwarf_Addr *out)
{
	Dwarf_Addr base, end;

	return !dwarf_entrypc(die, out) || dwarf_ranges(die, 0, &base, out, &end) > 0;
}

static void note_function(struct search *s, Dwarf_Die *die)
{
	const struct inlined_question *q = s->question;
	struct finding *finding;
	Dwarf_Die origin;
	Dwarf_Addr address;
	size_t above;

	if (dwarf_hasattr(die, DW_AT_declaration) || !find_address(die, &address))
		return;
	above = sorted_above(q->addresses, q->n_addresses, sizeof(*q->addresses), address);
	if (!above || q->addresses[above - 1] != address)
		return;
	finding = &s->findings[above - 1];
	finding->is_known = true;
	finding->die = find_origin(die, &origin) ? origin : *die;
}

/* A lambda's entry has no linkage name and no place in the source: that of its type has. */
static void note_home(struct search *s, Dwarf_Die *die, const Dwarf_Die *parent)
{
	struct entry *e;

	if (!parent || !dwarf_hasattr(die, DW_AT_artificial) ||
		dwarf_hasattr(die, DW_AT_linkage_name) || dwarf_hasattr(die, DW_AT_decl_line))
		return;
	e = entry_of(s, die);
	e->home = *parent;
	e->has_home = true;
}

/* Entries that hold no code. */
static bool is_leaf(int tag)
{
	return tag == DW_TAG_enumeration_type || tag == DW_TAG_array_type ||
	       tag == DW_TAG_subroutine_type;
}

static int visit_children(struct search *s, Dwarf_Die *parent, struct place place);

static int visit(struct search *s, Dwarf_Die *die, struct place place)
{
	int tag = dwarf_tag(die), r = 0;

	if (tag == DW_TAG_subprogram) {
		place.caller = is_code(die) ? die : NULL;
		note_function(s, die);
		note_home(s, die, place.type);
	} else if (tag == DW_TAG_inlined_subroutine) {
		r = note_inlined(s, die, place.caller);
	}
	place.type = tag == DW_TAG_structure_type || tag == DW_TAG_class_type ? die : NULL;
	return r || is_leaf(tag) ? r : visit_children(s, die, place);
}

static int visit_children(struct search *s, Dwarf_Die *parent, struct place place)
{
	Dwarf_Die die;
	int r = dwarf_child(parent, &die);

	if (++place.depth > DEEPEST)
		return -EBADMSG;
	while (!r) {
		r = visit(s, &die, place);
		if (!r)
			r = dwarf_siblingof(&die, &die);
	}
	return r < 0 ? -EBADMSG : 0;
}

static int visit_all(struct search *s, Dwarf *dwarf)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die top, other;
	uint8_t type;
	int r;

	while (!(r = dwarf_get_units(dwarf, unit, &unit, NULL, &type, &top, &other))) {
		if (type == DW_UT_skeleton || dwarf_hasattr(&top, DW_AT_GNU_dwo_name))
			return -ENOENT;
		r = visit_children(s, &top, (struct place){});
		if (r)
			return r;
	}
	return r < 0 ? -EBADMSG : 0;
}

static void answer(const struct search *s, int out_fd)
{
	_cleanup_(buffer_deinit) struct buffer out = {};

	for (size_t i = 0; i < s->question->n_addresses + s->question->n_names; i++) {
		const struct finding *f = &s->findings[i];
		const struct inlined_record record = {
			(uint32_t)i, f->n_places, (uint32_t)f->callers.size};

		if (!f->is_known)
			continue;
		buffer_append(&out, &record, sizeof(record));
		if (f->callers.size)
			buffer_append(&out, f->callers.data, f->callers.size);
	}
	reader_put(out_fd, out.data, out.size);
}

/* Nothing is freed: the process ends. */
int inlined_work(int out_fd, const void *data)
{
	struct search s = {.question = data};
	Dwarf *dwarf = dwarf_begin(READER_FIRST_FD, DWARF_C_READ);

	if (!dwarf)
		return -EBADMSG;
	s.findings = memory_alloc(
		(s.question->n_addresses + s.question->n_names + 1) * sizeof(*s.findings));
	if (visit_all(&s, dwarf))
		return -EBADMSG;
	inlined_add_up(&s);
	answer(&s, out_fd);
	return 0;
}
