// SPDX-License-Identifier: Apache-2.0
/*
 * x86-64: what is known of the registers behind an instruction.
 *
 * Two questions are to be answered at the end of a function: is the stack pointer where it was at
 * the entry, and does an indirect jump go by a table that the compiler made? So followed are the
 * instructions by which compilers set up and tear down frames, and those by which they read jump
 * tables. Anything else makes what it writes unknown.
 */
#include "code/x86_step.h"

#include "base/cleanup.h"

enum { WORD_SIZE = 8, ABOVE = 7, BELOW_OR_EQUAL = 6, ABOVE_OR_EQUAL = 3, BELOW = 2 };

struct effect {
	const struct x86_instruction *i;
	uint64_t address;
	struct state *state;
	struct step *out;
};

static const uint32_t volatile_registers = 1u << X86_RAX | 1u << X86_RCX | 1u << X86_RDX |
					   1u << X86_RSI | 1u << X86_RDI | 1u << X86_R8 |
					   1u << X86_R9 | 1u << X86_R10 | 1u << X86_R11;

static struct value get(const struct effect *e, unsigned reg)
{
	return reg < X86_N_REGISTERS ? e->state->registers.values[reg] : (struct value){};
}

static void set(const struct effect *e, unsigned reg, struct value value)
{
	state_forget(e->state, reg);
	e->state->registers.values[reg] = value;
}

/* A new stack pointer that was found elsewhere than on this stack is another stack's. */
static void set_stack(const struct effect *e, struct value value)
{
	if (!value_is_on_stack(value))
		e->out->traits |= STEP_SWITCHES_STACK;
	set(e, X86_RSP, value_is_on_stack(value) ? value : value_of(VALUE_UNKNOWN, 0));
}

static void set_any(const struct effect *e, unsigned reg, struct value value)
{
	if (reg == X86_RSP)
		set_stack(e, value);
	else
		set(e, reg, value);
}

static bool is_wide(const struct x86_instruction *i)
{
	return i->prefixes & X86_REX_W;
}

static bool is_register(const struct x86_instruction *i)
{
	return i->mod == 3;
}

/* An operand of 32 bits clears the register's others. */
static bool clears_upper_half(const struct effect *e)
{
	const struct x86_instruction *i = e->i;
	bool is_long = !(i->prefixes & (X86_REX_W | X86_WORD)) && !(i->form & X86_BYTE);
	unsigned writes = i->form & (X86_TO_RM | X86_TO_REG | X86_TO_OPCODE | X86_TO_RAX |
					    X86_TO_VEX | X86_TO_FIXED);

	return is_long && i->map < X86_0F38 &&
	       (writes == X86_TO_RM || writes == X86_TO_REG || writes == X86_TO_OPCODE);
}

static void forget_written(const struct effect *e)
{
	uint32_t written = e->out->written;

	if (written & 1u << X86_RSP)
		e->out->traits |= STEP_SWITCHES_STACK;
	state_forget_all(e->state, written);
	if (written && clears_upper_half(e))
		set(e, (unsigned)__builtin_ctz(written), value_of(VALUE_LIMITED, UINT32_MAX));
}

static struct value moved(struct value v, int64_t distance)
{
	if (v.kind == VALUE_STACK || v.kind == VALUE_ADDRESS)
		v.number += distance;
	else if (!value_is_on_stack(v))
		v = value_of(VALUE_UNKNOWN, 0);
	return v;
}

/* Between the entry's stack pointer and the word above it lies the return address. */
static void move_stack(const struct effect *e, int64_t distance)
{
	struct value v = get(e, X86_RSP);

	if (v.kind == VALUE_STACK && v.number == (distance < 0 ? WORD_SIZE : 0))
		e->out->traits |= STEP_CHANGES_RETURN;
	if (e->i->prefixes & X86_WORD && v.kind == VALUE_STACK)
		v.kind = VALUE_FRAME;
	set(e, X86_RSP, moved(v, distance));
}

static void carry_push(const struct effect *e)
{
	move_stack(e, -WORD_SIZE);
}

static void carry_pop(const struct effect *e)
{
	move_stack(e, WORD_SIZE);
	if (e->i->form & X86_TO_OPCODE || (e->i->form & X86_TO_RM && is_register(e->i)))
		set_any(e, e->i->rm, value_of(VALUE_UNKNOWN, 0));
}

static void carry_leave(const struct effect *e)
{
	set_stack(e, get(e, X86_RBP));
	move_stack(e, WORD_SIZE);
	set(e, X86_RBP, value_of(VALUE_UNKNOWN, 0));
}

static void carry_call(const struct effect *e)
{
	state_forget_all(e->state, volatile_registers);
	e->state->comparison.kind = VALUE_UNKNOWN;
}

static enum value_kind bound_kind(const struct x86_instruction *i)
{
	if (i->form & X86_BYTE)
		return i->prefixes & X86_REX || i->rm < 4 ? VALUE_BOUNDED_BYTE : VALUE_UNKNOWN;
	if (is_wide(i))
		return VALUE_BOUNDED;
	return i->prefixes & X86_WORD ? VALUE_BOUNDED_WORD : VALUE_BOUNDED_LONG;
}

static void carry_compare(const struct effect *e)
{
	const struct x86_instruction *i = e->i;
	bool is_of_rax = i->map == X86_ONE_BYTE && (i->opcode & 0xfe) == 0x3c;

	if (i->immediate >= 0 && (is_of_rax || is_register(i)))
		e->state->comparison = (struct comparison){
			.reg = is_of_rax ? X86_RAX : i->rm,
			.kind = bound_kind(i),
			.limit = i->immediate,
		};
}

static bool is_bounded(struct value v)
{
	return v.kind >= VALUE_BOUNDED_BYTE && v.kind <= VALUE_LIMITED;
}

/* add, and, sub, cmp of an immediate. */
static void carry_group1(const struct effect *e)
{
	const struct x86_instruction *i = e->i;
	unsigned group = i->reg & 7;
	struct value v = get(e, i->rm);

	if (group == 7) {
		carry_compare(e);
	} else if (!is_register(i)) {
		return;
	} else if (is_wide(i) && (group == 0 || group == 5)) {
		set_any(e, i->rm, moved(v, group == 0 ? i->immediate : -i->immediate));
	} else if (group == 4 && value_is_on_stack(v)) {
		set(e, i->rm, value_of(VALUE_FRAME, 0)); /* aligned */
	} else if (group == 4 && i->immediate >= 0 && bound_kind(i) >= VALUE_BOUNDED_LONG) {
		set_any(e, i->rm, value_of(VALUE_LIMITED, i->immediate));
	} else {
		forget_written(e);
	}
}

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

static struct value read_pointers(const struct effect *e)
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
		set_any(e, i->reg, read_pointers(e));
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

static void carry_group5(const struct effect *e)
{
	const struct x86_instruction *i = e->i;

	switch (i->reg & 7) {
	case 2:
	case 3:
		carry_call(e);
		break;
	case 4:
		e->out->through = is_register(i) ? get(e, i->rm) : read_pointers(e);
		break;
	case 6:
		carry_push(e);
		break;
	default:
		forget_written(e);
	}
}

static int64_t most_of(enum value_kind kind)
{
	static const int64_t most[] = {
		[VALUE_BOUNDED_BYTE] = UINT8_MAX,
		[VALUE_BOUNDED_WORD] = UINT16_MAX,
		[VALUE_BOUNDED_LONG] = UINT32_MAX,
		[VALUE_BOUNDED] = INT64_MAX,
	};

	return most[kind];
}

static void carry_branch(const struct effect *e)
{
	const struct comparison *c = &e->state->comparison;
	uint8_t condition = e->out->condition;
	bool is_strict = condition == ABOVE_OR_EQUAL || condition == BELOW;
	struct value old = get(e, c->reg);
	enum value_kind kind = c->kind;

	if (!kind || c->limit < (is_strict ? 1 : 0) ||
		(condition != ABOVE && condition != BELOW_OR_EQUAL && !is_strict))
		return;
	if (old.kind != VALUE_UNKNOWN && old.kind != VALUE_SPILLED && !is_bounded(old))
		return;
	if (value_is_within(old, most_of(kind)))
		kind = VALUE_BOUNDED;
	e->out->bound = value_of(kind, c->limit - is_strict);
	e->out->bound_register = c->reg;
	e->out->bound_if_taken = condition == BELOW || condition == BELOW_OR_EQUAL;
}

typedef void carry(const struct effect *e);

/* What moves values: of whole registers only. Without a handler, what is written is unknown. */
static carry *const data_carriers[256] = {
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

static carry *const one_byte_carriers[256] = {
	[0x3c ... 0x3d] = carry_compare,
	[0x50 ... 0x57] = carry_push,
	[0x58 ... 0x5f] = carry_pop,
	[0x68] = carry_push,
	[0x6a] = carry_push,
	[0x70 ... 0x7f] = carry_branch,
	[0x80 ... 0x81] = carry_group1,
	[0x83] = carry_group1,
	[0x8f] = carry_pop,
	[0x9c] = carry_push,
	[0x9d] = carry_pop,
	[0xc9] = carry_leave,
	[0xcd] = carry_call,
	[0xe8] = carry_call,
	[0xff] = carry_group5,
};

static carry *const two_byte_carriers[256] = {
	[0x05] = carry_call,
	[0x34] = carry_call,
	[0x80 ... 0x8f] = carry_branch,
	[0xa0] = carry_push,
	[0xa1] = carry_pop,
	[0xa8] = carry_push,
	[0xa9] = carry_pop,
};

/* A prefix makes operands or addresses smaller than a register. */
static bool is_narrow(const struct x86_instruction *i)
{
	return i->prefixes & X86_SHORT || (i->prefixes & X86_WORD && !is_wide(i));
}

static carry *handler_of(const struct x86_instruction *i)
{
	carry *handler = NULL;

	if (i->map == X86_ONE_BYTE) {
		handler = one_byte_carriers[i->opcode];
		return handler || is_narrow(i) ? handler : data_carriers[i->opcode];
	}
	if (i->map != X86_0F || i->prefixes & X86_IS_VEX)
		return NULL;
	if ((i->opcode & 0xfe) == 0xb6)
		return is_narrow(i) ? NULL : carry_zero_extension;
	return two_byte_carriers[i->opcode];
}

/* Functions that align their stack copy the return address for who reads the stack. */
static bool is_copy_for_debuggers(const struct x86_instruction *i)
{
	return i->map == X86_ONE_BYTE && i->opcode == 0xff && (i->reg & 7) == 6 &&
	       i->base != X86_RSP && i->base != X86_RBP;
}

static void check_return_address(const struct effect *e)
{
	const struct x86_instruction *i = e->i;
	struct value v = get(e, i->base);

	if (!(i->form & X86_MODRM) || is_register(i) || v.kind != VALUE_STACK ||
		i->index != X86_NONE || v.number + i->displacement ||
		e->out->traits & STEP_IS_PADDING || is_copy_for_debuggers(i))
		return;
	e->out->traits |= STEP_TOUCHES_RETURN | (x86_stores(i) ? STEP_CHANGES_RETURN : 0);
}

void x86_carry(
	const struct x86_instruction *i, uint64_t address, struct state *state, struct step *out)
{
	struct effect e = {.i = i, .address = address, .state = state, .out = out};
	carry *handler = handler_of(i);

	if (!(i->form & X86_FLAGS))
		state->comparison.kind = VALUE_UNKNOWN;
	out->written = x86_written(i);
	check_return_address(&e);
	if (handler)
		handler(&e);
	else if (out->written)
		forget_written(&e);
}
