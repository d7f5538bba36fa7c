// SPDX-License-Identifier: Apache-2.0
/*
 * AArch64: the instructions that move values between registers and make addresses of them: copies,
 * sums, comparisons, and what is read from a jump table.
 *
 * Compilers guard a jump table with a comparison, read a byte, a half or a word from it and add
 * that, perhaps shifted, to the table's address or to that of the code; or they read an address.
 */
#include "code/arm64_effect.h"

enum { HIGHER = 8, LOWER_OR_SAME = 9, HIGHER_OR_SAME = 2, LOWER = 3 };

void arm64_carry_adr(const struct effect *e)
{
	int64_t distance = signed_field(e, 5, 19) * 4 + field(e, 29, 2);

	if (is_wide(e))
		distance = (int64_t)((e->address & ~0xfffull) - e->address) + distance * 4096;
	set(e, rd(e), value_of(VALUE_ADDRESS, (int64_t)e->address + distance));
}

/* subs with an immediate; what it writes is the zero register for cmp. */
void arm64_carry_compare(const struct effect *e)
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

void arm64_carry_branch(const struct effect *e)
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

/* A copy of 32 bits clears the others. */
static struct value narrowed(struct value v)
{
	if (v.kind == VALUE_BOUNDED_LONG)
		return value_of(VALUE_BOUNDED, v.number);
	return value_is_within(v, UINT32_MAX) ? v : long_bound();
}

void arm64_carry_move(const struct effect *e)
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

struct value arm64_bound_by_size(const struct effect *e)
{
	static const int64_t most[] = {UINT8_MAX, UINT16_MAX, UINT32_MAX};
	unsigned size = field(e, 30, 2);

	return field(e, 22, 2) == 1 && size < 3 ? value_of(VALUE_LIMITED, most[size])
						: value_of(VALUE_UNKNOWN, 0);
}

/* A load with a register as the offset. */
void arm64_carry_indexed_load(const struct effect *e)
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
		v = arm64_bound_by_size(e);
	forget_written(e);
	if (is_load && rd(e) != STACK)
		set(e, rd(e), v);
}

/* sxtb, sxth, sxtw: the entry is signed after all. */
static void extend_entry(const struct effect *e, struct jump_table *table)
{
	unsigned option = field(e, 13, 3);

	if (option >= 4 && 1u << (option - 4) == table->entry_size)
		table->is_signed = true;
}

/* add of registers: the end of reading a jump table, or a frame of variable size. */
void arm64_carry_sum(const struct effect *e)
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
	if (v.kind == VALUE_TARGET && is_extended)
		extend_entry(e, &e->state->tables->tables[v.number]);
	if (!is_extended && rd(e) == STACK)
		return;
	set(e, rd(e), is_wide(e) || v.kind == VALUE_FRAME ? v : long_bound());
}
