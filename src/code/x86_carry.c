// SPDX-License-Identifier: Apache-2.0
/*
 * x86-64: what is known of the registers behind an instruction.
 *
 * Two questions are to be answered at the end of a function: is the stack pointer where it was at
 * the entry, and does an indirect jump go by a table that the compiler made? So followed are the
 * instructions by which compilers set up and tear down frames, here, and those by which they read
 * jump tables, in x86_data.c. Anything else makes what it writes unknown.
 */
#include "code/x86_effect.h"

enum { ABOVE = 7, BELOW_OR_EQUAL = 6, ABOVE_OR_EQUAL = 3, BELOW = 2 };

static const uint32_t volatile_registers = 1u << X86_RAX | 1u << X86_RCX | 1u << X86_RDX |
					   1u << X86_RSI | 1u << X86_RDI | 1u << X86_R8 |
					   1u << X86_R9 | 1u << X86_R10 | 1u << X86_R11;

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

static void carry_group5(const struct effect *e)
{
	const struct x86_instruction *i = e->i;

	switch (i->reg & 7) {
	case 2:
	case 3:
		carry_call(e);
		break;
	case 4:
		e->out->through = is_register(i) ? get(e, i->rm) : x86_read_pointers(e);
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

static x86_carrier *const one_byte_carriers[256] = {
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

static x86_carrier *const two_byte_carriers[256] = {
	[0x05] = carry_call,
	[0x34] = carry_call,
	[0x80 ... 0x8f] = carry_branch,
	[0xa0] = carry_push,
	[0xa1] = carry_pop,
	[0xa8] = carry_push,
	[0xa9] = carry_pop,
};

static x86_carrier *handler_of(const struct x86_instruction *i)
{
	x86_carrier *handler = NULL;

	if (i->map == X86_ONE_BYTE)
		handler = one_byte_carriers[i->opcode];
	else if (i->map == X86_0F && !(i->prefixes & X86_IS_VEX))
		handler = two_byte_carriers[i->opcode];
	return handler ? handler : x86_data_carrier(i);
}

/* Functions that align their stack copy the return address for who reads the stack. */
static bool is_copy_for_debuggers(const struct x86_instruction *i)
{
	return i->map == X86_ONE_BYTE && i->opcode == 0xff && (i->reg & 7) == 6 &&
	       i->base != X86_RSP && i->base != X86_RBP;
}

/* lock add $0 or lock or $0: a barrier, which leaves what it names as it is. */
static bool is_barrier(const struct x86_instruction *i)
{
	bool is_group1 = i->map == X86_ONE_BYTE && i->opcode >= 0x80 && i->opcode <= 0x83;

	return is_group1 && i->prefixes & X86_LOCK && (i->reg & 7) <= 1 && !i->immediate;
}

static void check_return_address(const struct effect *e)
{
	const struct x86_instruction *i = e->i;
	struct value v = get(e, i->base);

	if (!(i->form & X86_MODRM) || is_register(i) || v.kind != VALUE_STACK ||
		i->index != X86_NONE || v.number + i->displacement ||
		e->out->traits & STEP_IS_PADDING || is_copy_for_debuggers(i) || is_barrier(i))
		return;
	e->out->traits |= STEP_TOUCHES_RETURN | (x86_stores(i) ? STEP_CHANGES_RETURN : 0);
}

void x86_carry(
	const struct x86_instruction *i, uint64_t address, struct state *state, struct step *out)
{
	struct effect e = {.i = i, .address = address, .state = state, .out = out};
	x86_carrier *handler = handler_of(i);

	if (!(i->form & X86_FLAGS))
		state->comparison.kind = VALUE_UNKNOWN;
	out->written = x86_written(i);
	check_return_address(&e);
	if (handler)
		handler(&e);
	else if (out->written)
		forget_written(&e);
}
