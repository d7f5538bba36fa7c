// SPDX-License-Identifier: Apache-2.0
/*
 * x86-64: the instructions that move values between registers and make addresses of them: copies,
 * constants, sums, and what is read from a jump table.
 *
 * Compilers guard a jump table with a comparison, widen the index, load a distance from the table
 * and add the table's address; or they jump through a row of addresses. How many entries there
 * are is known from the comparison, or else only bounded by the size of the index.
 */
#include "code/x86_effect.h"

/* add and sub of registers: a frame of variable size, or the end of reading a jump table. */
static void carry_sum(const struct effect *e)
{
	const struct x86_instruction *i = e->i;
	bool is_to_reg = i->form & X86_TO_REG, is_sum = (i->opcode & 0xf8) == 0;
	unsigned to = is_to_reg ? i->reg : i->rm, from = is_to_reg ? i->rm : i->reg;
	struct value a = get(e, to), b = is_register(i) ? get(e, from) : (struct value){};

	if (!is_register(i) && !is_to_reg)
		return;
	if (value_is_on_stack(a) || (is_sum && value_is_on_stack(b)))
		set(e, to, value_of(VALUE_FRAME, 0));
	else if (is_wide(i) && is_sum && a.kind == VALUE_ENTRY)
		set(e, to, state_resolve(e->state, a, b, 0));
	else if (is_wide(i) && is_sum)
		set_any(e, to, state_resolve(e->state, b, a, 0));
	else
		forget_written(e);
}

/* A copy of 32 bits clears the others. */
static struct value narrowed(struct value v)
{
	if (v.kind == VALUE_BOUNDED_LONG)
		return value_of(VALUE_BOUNDED, v.number);
	if (value_is_within(v, UINT32_MAX) ||
		(v.kind == VALUE_ADDRESS && v.number >= 0 && v.number <= UINT32_MAX))
		return v;
	return value_of(VALUE_LIMITED, UINT32_MAX);
}

/* A row of addresses or distances that a register picks from, or just one of them: its first
 * address, or false. */
static bool find_table(const struct effect *e, uint64_t *table)
{
	const struct x86_instruction *i = e->i;
	struct value base = get(e, i->base);

	if (is_register(i) || (i->index == X86_NONE && i->base != X86_RIP))
		return false;
	if (i->base == X86_RIP)
		base = value_of(VALUE_ADDRESS, (int64_t)(e->address + i->size));
	if (base.kind != VALUE_ADDRESS && i->base != X86_NONE)
		return false;
	*table = (uint64_t)(base.kind == VALUE_ADDRESS ? base.number : 0) +
		 (uint64_t)(int64_t)i->displacement;
	return true;
}

static struct value read_table(const struct effect *e, unsigned entry_size, bool is_signed)
{
	struct jump_table table = {
		.loaded_at = e->address,
		.entry_size = (uint8_t)entry_size,
		.is_signed = is_signed,
	};

	table_bound(
		&table, e->i->index == X86_NONE ? value_of(VALUE_BOUNDED, 0) : get(e, e->i->index));
	if ((e->i->index != X86_NONE && 1u << e->i->shift != entry_size) ||
		!find_table(e, &table.address))
		return value_of(VALUE_UNKNOWN, 0);
	return state_enter_table(e->state, &table);
}

struct value x86_read_pointers(const struct effect *e)
{
	struct value v = read_table(e, WORD_SIZE, false);

	return v.kind == VALUE_ENTRY ? state_resolve(e->state, v, value_of(VALUE_ADDRESS, 0), 0)
				     : v;
}

static void carry_load(const struct effect *e)
{
	const struct x86_instruction *i = e->i;

	if (is_register(i))
		set_any(e, i->reg, is_wide(i) ? get(e, i->rm) : narrowed(get(e, i->rm)));
	else if (!is_wide(i))
		forget_written(e);
	else if (value_is_on_stack(get(e, i->base)))
		set(e, i->reg, value_of(i->reg == X86_RSP ? VALUE_FRAME : VALUE_SPILLED, 0));
	else
		set_any(e, i->reg, x86_read_pointers(e));
}

static void carry_store(const struct effect *e)
{
	const struct x86_instruction *i = e->i;

	if (is_register(i))
		set_any(e, i->rm, is_wide(i) ? get(e, i->reg) : narrowed(get(e, i->reg)));
}

static struct value operand_address(const struct effect *e)
{
	const struct x86_instruction *i = e->i;
	struct value base = get(e, i->base);

	if (i->base == X86_RIP)
		return value_of(VALUE_ADDRESS, (int64_t)(e->address + i->size) + i->displacement);
	if (i->base == X86_NONE)
		base = value_of(VALUE_ADDRESS, 0);
	if (i->index == X86_NONE)
		return moved(base, i->displacement);
	return value_of(value_is_on_stack(base) ? VALUE_FRAME : VALUE_UNKNOWN, 0);
}

/* Functions that align their stack find the way back from a spilled pointer. */
static void carry_lea(const struct effect *e)
{
	const struct x86_instruction *i = e->i;
	struct value v = is_wide(i) ? operand_address(e) : value_of(VALUE_LIMITED, UINT32_MAX);

	if (i->reg == X86_RSP && get(e, i->base).kind == VALUE_SPILLED)
		v = value_of(VALUE_FRAME, 0);
	set_any(e, i->reg, v);
}

/* With 32 bits the immediate was sign-extended too far. */
static void carry_constant(const struct effect *e)
{
	const struct x86_instruction *i = e->i;
	int64_t number = is_wide(i) ? i->immediate : (int64_t)(uint32_t)i->immediate;

	if (i->map == X86_ONE_BYTE && i->opcode == 0xc7 && !is_register(i))
		return;
	set_any(e, i->rm, value_of(VALUE_ADDRESS, number));
}

static void carry_sign_extension(const struct effect *e)
{
	const struct x86_instruction *i = e->i;
	struct value v = get(e, i->rm);

	if (!is_wide(i))
		forget_written(e);
	else if (!is_register(i))
		set_any(e, i->reg, read_table(e, 4, true));
	else if (value_is_within(narrowed(v), INT32_MAX))
		set_any(e, i->reg, narrowed(v));
	else
		forget_written(e);
}

static void carry_own_sign_extension(const struct effect *e)
{
	struct value v = narrowed(get(e, X86_RAX));

	if (is_wide(e->i) && value_is_within(v, INT32_MAX))
		set(e, X86_RAX, v);
	else
		forget_written(e);
}

static void carry_zero_extension(const struct effect *e)
{
	const struct x86_instruction *i = e->i;
	bool is_byte = i->opcode == 0xb6;
	int64_t most = is_byte ? UINT8_MAX : UINT16_MAX;
	struct value v = is_register(i) ? get(e, i->rm) : (struct value){};
	bool is_kept =
		is_bounded(v) && v.number < most && (v.kind != VALUE_BOUNDED_BYTE || is_byte);

	if (is_byte && is_register(i) && !(i->prefixes & X86_REX) && i->rm >= 4)
		is_kept = false; /* ah, ch, dh, bh */
	set_any(e, i->reg,
		is_kept ? value_of(v.kind == VALUE_LIMITED ? v.kind : VALUE_BOUNDED, v.number)
			: value_of(VALUE_LIMITED, most));
}

/* What moves values: of whole registers only. Without a handler, what is written is unknown. */
static x86_carrier *const carriers[256] = {
	[0x01] = carry_sum,
	[0x03] = carry_sum,
	[0x29] = carry_sum,
	[0x2b] = carry_sum,
	[0x63] = carry_sign_extension,
	[0x89] = carry_store,
	[0x8b] = carry_load,
	[0x8d] = carry_lea,
	[0x98] = carry_own_sign_extension,
	[0xb8 ... 0xbf] = carry_constant,
	[0xc7] = carry_constant,
};

/* A prefix makes operands or addresses smaller than a register. */
static bool is_narrow(const struct x86_instruction *i)
{
	return i->prefixes & X86_SHORT || (i->prefixes & X86_WORD && !is_wide(i));
}

x86_carrier *x86_data_carrier(const struct x86_instruction *i)
{
	if (is_narrow(i))
		return NULL;
	if (i->map == X86_ONE_BYTE)
		return carriers[i->opcode];
	if (i->map == X86_0F && !(i->prefixes & X86_IS_VEX) && (i->opcode & 0xfe) == 0xb6)
		return carry_zero_extension;
	return NULL;
}
