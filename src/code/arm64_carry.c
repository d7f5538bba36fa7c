// SPDX-License-Identifier: Apache-2.0
/*
 * AArch64: what is known of the registers behind an instruction. As x86_carry.c: followed are the
 * instructions by which compilers set up and tear down frames, and those by which they read jump
 * tables. The first row that matches takes the instruction; without one, what it writes is
 * unknown.
 */
#include "code/arm64_step.h"

#include "base/cleanup.h"

enum { LINK = 30, STACK = 31, HIGHER = 8, LOWER_OR_SAME = 9, HIGHER_OR_SAME = 2, LOWER = 3 };

struct effect {
	uint32_t word;
	uint64_t address;
	struct state *state;
	struct step *out;
};

static unsigned field(const struct effect *e, unsigned low_bit, unsigned n_bits)
{
	return e->word >> low_bit & ((1u << n_bits) - 1);
}

static int64_t signed_field(const struct effect *e, unsigned low_bit, unsigned n_bits)
{
	return (int64_t)((uint64_t)e->word << (64 - low_bit - n_bits)) >> (64 - n_bits);
}

static unsigned rd(const struct effect *e)
{
	return field(e, 0, 5);
}

static unsigned rn(const struct effect *e)
{
	return field(e, 5, 5);
}

static unsigned rm(const struct effect *e)
{
	return field(e, 16, 5);
}

static struct value get(const struct effect *e, unsigned reg)
{
	return e->state->registers.values[reg];
}

/* 31 is zero but for those that take it for the stack pointer. */
static struct value get_operand(const struct effect *e, unsigned reg)
{
	return reg == STACK ? value_of(VALUE_UNKNOWN, 0) : get(e, reg);
}

static void set(const struct effect *e, unsigned reg, struct value value)
{
	if (reg == STACK && !value_is_on_stack(value)) {
		e->out->traits |= STEP_SWITCHES_STACK;
		value = value_of(VALUE_UNKNOWN, 0);
	}
	state_forget(e->state, reg);
	e->state->registers.values[reg] = value;
}

static bool is_wide(const struct effect *e)
{
	return e->word >> 31;
}

static void forget_written(const struct effect *e)
{
	if (e->out->written & 1u << STACK)
		e->out->traits |= STEP_SWITCHES_STACK;
	state_forget_all(e->state, e->out->written);
}

/* For those that know what becomes of the stack pointer. */
static void drop_written(const struct effect *e)
{
	state_forget_all(e->state, e->out->written);
}

static struct value moved(struct value v, int64_t distance)
{
	if (v.kind == VALUE_STACK || v.kind == VALUE_ADDRESS)
		v.number += distance;
	else if (v.kind == VALUE_SPILLED)
		v = value_of(VALUE_FRAME, 0); /* the way back from an aligned frame */
	else if (!value_is_on_stack(v))
		v = value_of(VALUE_UNKNOWN, 0);
	return v;
}

static void carry_call(const struct effect *e)
{
	state_forget_all(e->state, 0x4007ffff);
	e->state->comparison.kind = VALUE_UNKNOWN;
}

static void carry_adr(const struct effect *e)
{
	int64_t distance = signed_field(e, 5, 19) * 4 + field(e, 29, 2);

	if (is_wide(e))
		distance = (int64_t)((e->address & ~0xfffull) - e->address) + distance * 4096;
	set(e, rd(e), value_of(VALUE_ADDRESS, (int64_t)e->address + distance));
}

static int64_t immediate_of(const struct effect *e)
{
	int64_t immediate = (int64_t)field(e, 10, 12) << (field(e, 22, 1) ? 12 : 0);

	return field(e, 30, 1) ? -immediate : immediate;
}

static struct value long_bound(void)
{
	return value_of(VALUE_LIMITED, UINT32_MAX);
}

static void carry_add_immediate(const struct effect *e)
{
	struct value v = moved(get(e, rn(e)), immediate_of(e));

	if (v.kind == VALUE_FRAME && get(e, rn(e)).kind == VALUE_SPILLED && rd(e) != STACK)
		v = value_of(VALUE_UNKNOWN, 0);
	set(e, rd(e), is_wide(e) ? v : long_bound());
}

/* subs with an immediate; what it writes is the zero register for cmp. */
static void carry_compare(const struct effect *e)
{
	int64_t limit = -immediate_of(e);

	forget_written(e);
	if (rd(e) == STACK)
		e->state->comparison = (struct comparison){
			.reg = (uint8_t)rn(e),
			.kind = is_wide(e) ? VALUE_BOUNDED : VALUE_BOUNDED_LONG,
			.limit = limit,
		};
}

static void carry_branch(const struct effect *e)
{
	const struct comparison *c = &e->state->comparison;
	uint8_t condition = e->out->condition;
	bool is_strict = condition == HIGHER_OR_SAME || condition == LOWER;
	struct value old = get(e, c->reg);

	if (!c->kind || c->limit < (is_strict ? 1 : 0) ||
		(condition != HIGHER && condition != LOWER_OR_SAME && !is_strict))
		return;
	if (old.kind != VALUE_UNKNOWN && old.kind != VALUE_SPILLED &&
		(old.kind < VALUE_BOUNDED_BYTE || old.kind > VALUE_LIMITED))
		return;
	e->out->bound = value_of(c->kind, c->limit - is_strict);
	e->out->bound_register = c->reg;
	e->out->bound_if_taken = condition == LOWER_OR_SAME || condition == LOWER;
	if (value_is_within(old, UINT32_MAX))
		e->out->bound.kind = VALUE_BOUNDED;
}

/* and, orr, eor of an immediate: the stack pointer is aligned with one. */
static void carry_logical_immediate(const struct effect *e)
{
	if (rd(e) == STACK && value_is_on_stack(get_operand(e, rn(e))))
		set(e, STACK, value_of(VALUE_FRAME, 0));
	else
		forget_written(e);
	if (rd(e) != STACK && !is_wide(e))
		set(e, rd(e), long_bound());
}

/* A copy of 32 bits clears the others. */
static struct value narrowed(struct value v)
{
	if (v.kind == VALUE_BOUNDED_LONG)
		return value_of(VALUE_BOUNDED, v.number);
	return value_is_within(v, UINT32_MAX) ? v : long_bound();
}

static void carry_move(const struct effect *e)
{
	struct value v = get_operand(e, rm(e));

	if (rm(e) == LINK)
		e->out->traits |= STEP_TOUCHES_RETURN;
	if (!is_wide(e))
		v = narrowed(v);
	if (rd(e) != STACK)
		set(e, rd(e), v);
}

/* A row that a register picks from; option says how the register is extended. */
static struct value read_table(const struct effect *e, unsigned entry_size, bool is_signed)
{
	struct value base = get(e, rn(e)), index = get_operand(e, rm(e));
	bool is_long_index = field(e, 13, 3) == 2; /* uxtw */
	struct jump_table table = {
		.loaded_at = e->address,
		.address = (uint64_t)base.number,
		.entry_size = (uint8_t)entry_size,
		.is_signed = is_signed,
	};

	if (is_long_index && index.kind == VALUE_BOUNDED_LONG)
		index.kind = VALUE_BOUNDED;
	table_bound(&table, index);
	if (base.kind != VALUE_ADDRESS)
		return value_of(VALUE_UNKNOWN, 0);
	return state_enter_table(e->state, &table);
}

static struct value bound_by_size(const struct effect *e)
{
	static const int64_t most[] = {UINT8_MAX, UINT16_MAX, UINT32_MAX};
	unsigned size = field(e, 30, 2);

	return field(e, 22, 2) == 1 && size < 3 ? value_of(VALUE_LIMITED, most[size])
						: value_of(VALUE_UNKNOWN, 0);
}

/* A load with a register as the offset. */
static void carry_indexed_load(const struct effect *e)
{
	unsigned size = field(e, 30, 2), shift = field(e, 12, 1) ? size : 0;
	bool is_row = shift == size, is_load = field(e, 22, 2);
	struct value v = is_load && is_row && size < 3
				 ? read_table(e, 1u << size, field(e, 22, 2) != 1)
				 : value_of(VALUE_UNKNOWN, 0);

	if (is_load && size == 3 && is_row && field(e, 22, 2) == 1) {
		v = read_table(e, 8, false);
		v = state_resolve(e->state, v, value_of(VALUE_ADDRESS, 0), 0);
	}
	if (!v.kind)
		v = bound_by_size(e);
	forget_written(e);
	if (is_load && rd(e) != STACK)
		set(e, rd(e), v);
}

/* A load or store of one general register at a base with an immediate. */
static void carry_plain(const struct effect *e)
{
	struct value base = get(e, rn(e));
	bool is_load = field(e, 22, 2), writes_base = e->out->written >> rn(e) & 1;
	bool is_indexed = !field(e, 24, 1) && field(e, 10, 1);

	drop_written(e);
	if (is_load && rd(e) != STACK)
		set(e, rd(e),
			value_is_on_stack(base) && field(e, 30, 2) == 3 ? value_of(VALUE_SPILLED, 0)
									: bound_by_size(e));
	if (is_indexed && writes_base && value_is_on_stack(base))
		set(e, rn(e), moved(base, signed_field(e, 12, 9)));
}

/* Vectors too. */
static void carry_vector(const struct effect *e)
{
	struct value base = get(e, rn(e));

	drop_written(e);
	if (e->out->written && value_is_on_stack(base))
		set(e, rn(e), moved(base, signed_field(e, 12, 9)));
}

static void carry_pair(const struct effect *e)
{
	static const uint8_t shifts[2][4] = {{2, 2, 3, 3}, {2, 3, 4, 4}};
	struct value base = get(e, rn(e));
	unsigned shift = shifts[field(e, 26, 1)][field(e, 30, 2)];
	bool is_load = field(e, 22, 1), is_vector = field(e, 26, 1);

	if (!is_load && !is_vector && field(e, 30, 2) == 1)
		shift = 4; /* stgp */
	drop_written(e);
	if (is_load && !is_vector && value_is_on_stack(base)) {
		if (rd(e) != STACK)
			set(e, rd(e), value_of(VALUE_SPILLED, 0));
		if (field(e, 10, 5) != STACK)
			set(e, field(e, 10, 5), value_of(VALUE_SPILLED, 0));
	}
	if (field(e, 23, 1) && value_is_on_stack(base))
		set(e, rn(e), moved(base, signed_field(e, 15, 7) * (1 << shift)));
}

/* add of registers: the end of reading a jump table, or a frame of variable size. */
static void carry_sum(const struct effect *e)
{
	bool is_extended = field(e, 21, 1);
	unsigned shift = is_extended ? field(e, 10, 3) : field(e, 10, 6);
	struct value a = is_extended ? get(e, rn(e)) : get_operand(e, rn(e));
	struct value b = get_operand(e, rm(e)), v = {};

	if (value_is_on_stack(a))
		v = value_of(VALUE_FRAME, 0);
	else if (is_wide(e) && !field(e, 30, 1) && b.kind == VALUE_ENTRY)
		v = state_resolve(e->state, b, a, shift);
	else if (is_wide(e) && !field(e, 30, 1) && a.kind == VALUE_ENTRY && !shift)
		v = state_resolve(e->state, a, b, 0);
	/* sxtb, sxth, sxtw: the entry is signed after all */
	if (v.kind == VALUE_TARGET && is_extended && field(e, 13, 3) >= 4 && field(e, 13, 3) < 7)
		e->state->tables->tables[v.number].is_signed = true;
	if (!is_extended && rd(e) == STACK)
		return;
	set(e, rd(e), is_wide(e) || v.kind == VALUE_FRAME ? v : long_bound());
}

static void carry_indirect(const struct effect *e)
{
	e->out->through = get_operand(e, rn(e));
}

static void carry_strip(const struct effect *e)
{
	e->out->traits |= STEP_TOUCHES_RETURN;
	forget_written(e);
}

static const struct row {
	uint32_t mask, value;
	void (*carry)(const struct effect *e);
} rows[] = {
	{0x1f000000, 0x10000000, carry_adr}, {0x3f800000, 0x11000000, carry_add_immediate},
	{0x7f800000, 0x71000000, carry_compare}, {0x1f800000, 0x12000000, carry_logical_immediate},
	{0x7fe0ffe0, 0x2a0003e0, carry_move}, {0x3fe00000, 0x0b200000, carry_sum},
	{0x3fe00000, 0x0b000000, carry_sum}, {0x3f200c00, 0x38200800, carry_indexed_load},
	{0x3f000000, 0x39000000, carry_plain}, {0x3f200000, 0x38000000, carry_plain},
	{0x3f200000, 0x3c000000, carry_vector}, {0x3a000000, 0x28000000, carry_pair},
	{0xff000000, 0x54000000, carry_branch}, {0xfc000000, 0x94000000, carry_call},
	{0xfffffc1f, 0xd63f0000, carry_call}, {0xfefff800, 0xd63f0800, carry_call},
	{0xffe0001f, 0xd4000001, carry_call}, /* svc */
	{0xfffffc1f, 0xd61f0000, carry_indirect},
	{0xffffffff, 0xd50320ff, carry_strip}, /* xpaclri */
};

/* In doubt it does; most instructions that compute have a bit that says so. */
static bool may_write_flags(uint32_t word)
{
	bool is_memory = (word & 0x0a000000) == 0x08000000;
	bool is_branch = (word & 0x1c000000) == 0x14000000;
	bool is_logical = (word & 0x1f800000) == 0x12000000 || (word & 0x1f000000) == 0x0a000000;
	bool is_address = (word & 0x1f000000) == 0x10000000;
	bool is_move = (word & 0x1f800000) == 0x12800000;

	if (is_memory || is_branch || is_address || is_move)
		return false;
	if (is_logical)
		return (word & 0x60000000) == 0x60000000;
	return word & 0x20000000 || (word & 0x1e000000) == 0x04000000 ||
	       (word & 0xff000000) == 0x1e000000;
}

/* Only a call, or a load from the frame where it was saved, may write the link register. */
static bool changes_link(const struct effect *e)
{
	bool is_memory = (e->word & 0x0a000000) == 0x08000000;
	bool is_branch = (e->word & 0x1c000000) == 0x14000000;

	return e->out->written >> LINK & 1 && !is_branch &&
	       !(is_memory && value_is_on_stack(get(e, rn(e))));
}

void arm64_carry(uint32_t word, uint64_t address, struct state *state, struct step *out)
{
	struct effect e = {.word = word, .address = address, .state = state, .out = out};

	out->written = arm64_written(word);
	if (may_write_flags(word))
		state->comparison.kind = VALUE_UNKNOWN;
	if (changes_link(&e))
		out->traits |= STEP_CHANGES_RETURN;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if ((word & rows[i].mask) == rows[i].value) {
			rows[i].carry(&e);
			return;
		}
	}
	forget_written(&e);
}
