// SPDX-License-Identifier: Apache-2.0
/*
 * x86-64: where an instruction leads, what it writes, and what else it is. What it makes of the
 * values in registers is x86_carry.c's.
 */
#include "code/x86_step.h"

#include "base/cleanup.h"

#define BIT(reg) (1u << (reg))

enum {
	FIXED_REGISTERS = BIT(X86_RAX) | BIT(X86_RCX) | BIT(X86_RDX) | BIT(X86_RBX) | BIT(X86_RSI) |
			  BIT(X86_RDI),
	ARGUMENTS = BIT(X86_RDI) | BIT(X86_RSI) | BIT(X86_RDX) | BIT(X86_RCX) | BIT(X86_R8) |
		    BIT(X86_R9),
	GO_ARGUMENTS = BIT(X86_RAX) | BIT(X86_RBX) | BIT(X86_RCX) | BIT(X86_RDI) | BIT(X86_RSI) |
		       BIT(X86_R8) | BIT(X86_R9) | BIT(X86_R10) | BIT(X86_R11),
	LOOPS = 0xe0,
	XBEGIN = 0xf8,
};

/* FLOW_ON is 0. */
static const uint8_t one_byte_flow[256] = {
	[0x70 ... 0x7f] = FLOW_BRANCH,
	[0xc2 ... 0xc3] = FLOW_RETURN,
	[0xca ... 0xcb] = FLOW_ODD,
	[0xcf] = FLOW_ODD,
	[0xe0 ... 0xe3] = FLOW_BRANCH,
	[0xe8] = FLOW_CALL,
	[0xe9] = FLOW_JUMP,
	[0xeb] = FLOW_JUMP,
	[0xf4] = FLOW_STOP, /* hlt */
};

static const uint8_t two_byte_flow[256] = {
	[0x0b] = FLOW_STOP,
	[0x80 ... 0x8f] = FLOW_BRANCH,
	[0xb9] = FLOW_STOP,
	[0xff] = FLOW_STOP,
};

static bool is_one_byte(const struct x86_instruction *i, uint8_t opcode)
{
	return i->map == X86_ONE_BYTE && i->opcode == opcode;
}

/* Inside a group, modrm's middle bits pick the operation. */
static unsigned group_of(const struct x86_instruction *i)
{
	return i->reg & 7;
}

static bool is_nop(const struct x86_instruction *i)
{
	return is_one_byte(i, 0x90) && !i->rm;
}

static bool is_vex(const struct x86_instruction *i)
{
	return i->prefixes & X86_IS_VEX;
}

static enum flow flow_of(const struct x86_instruction *i)
{
	static const uint8_t groups[8] = {[2] = FLOW_CALL, FLOW_CALL, FLOW_INDIRECT, FLOW_ODD};

	if (i->map == X86_0F)
		return two_byte_flow[i->opcode];
	if (is_one_byte(i, 0xff))
		return groups[group_of(i)];
	if (is_one_byte(i, 0xc7) && i->mod == 3 && group_of(i) == 7)
		return FLOW_BRANCH; /* xbegin, and where a transaction that fails goes on */
	return one_byte_flow[i->opcode];
}

static uint8_t condition_of(const struct x86_instruction *i)
{
	bool is_on_flags = i->map == X86_0F || (i->opcode & 0xf0) == 0x70;

	return is_on_flags ? i->opcode & 0xf : STEP_NO_CONDITION;
}

/* What an instruction writes of whose opcode the table tells too much. */
static unsigned group_writes(const struct x86_instruction *i)
{
	unsigned group = group_of(i);

	switch (i->opcode) {
	case 0x1e:
		return group == 1 ? i->form : 0; /* all but rdssp are hints */
	case 0x7e:
		return i->prefixes & X86_F3 ? 0 : i->form; /* movq between vectors */
	case 0x80:
	case 0x81:
	case 0x83:
		return group == 7 ? 0 : i->form; /* cmp */
	case 0xba:
		return group == 4 ? 0 : i->form; /* bt */
	case 0xf6:
	case 0xf7:
		if (group < 2)
			return 0; /* test */
		return group < 4 ? i->form : X86_TO_FIXED;
	case 0xff:
		return group < 2 ? i->form : group == 6 ? X86_STACK : 0;
	default:
		return is_nop(i) ? 0 : i->form;
	}
}

static unsigned writes(const struct x86_instruction *i)
{
	return i->form & X86_GROUP ? group_writes(i) : i->form;
}

/* Without a REX, 4 to 7 are the second bytes of the first four registers. */
static uint32_t register_bit(const struct x86_instruction *i, uint8_t reg)
{
	if (i->form & X86_BYTE && !(i->prefixes & X86_REX))
		reg &= 3;
	return BIT(reg);
}

uint32_t x86_written(const struct x86_instruction *i)
{
	unsigned what = writes(i);
	uint32_t written = what & X86_STACK ? BIT(X86_RSP) : 0;

	if (what & X86_TO_OPCODE || (what & X86_TO_RM && i->mod == 3))
		written |= register_bit(i, i->rm);
	if (what & X86_TO_REG)
		written |= register_bit(i, i->reg);
	if (what & X86_TO_RAX)
		written |= BIT(X86_RAX);
	if (what & X86_TO_VEX)
		written |= BIT(i->vex);
	if (what & X86_TO_FIXED)
		written |= FIXED_REGISTERS;
	if (is_one_byte(i, 0xc9))
		written |= BIT(X86_RBP); /* leave */
	return written;
}

/* Stores of vectors, and of those maps in which they are not told apart. */
static bool stores_vector(const struct x86_instruction *i)
{
	switch (i->opcode) {
	case 0x11:
	case 0x13:
	case 0x17:
	case 0x29:
	case 0x2b:
	case 0x7f:
	case 0x91:
	case 0xd6:
	case 0xe7:
		return true;
	default:
		return i->map != X86_0F && is_vex(i);
	}
}

bool x86_stores(const struct x86_instruction *i)
{
	bool is_string = i->map == X86_ONE_BYTE &&
			 ((i->opcode & 0xfe) == 0xa4 || (i->opcode & 0xfe) == 0xaa);

	if (is_string || (i->map == X86_ONE_BYTE && (i->opcode & 0xfe) == 0xa2))
		return true;
	if (!(i->form & X86_MODRM) || i->mod == 3)
		return false;
	if (i->map == X86_ONE_BYTE)
		return writes(i) & X86_TO_RM || (i->opcode & 0xf8) == 0xd8; /* x87 */
	return writes(i) & X86_TO_RM || stores_vector(i);
}

static bool is_odd(const struct x86_instruction *i)
{
	bool is_string = i->map == X86_ONE_BYTE &&
			 ((i->opcode & 0xfc) == 0xa4 || (i->opcode >= 0xaa && i->opcode <= 0xaf));
	bool is_division = i->map == X86_ONE_BYTE && (i->opcode & 0xfe) == 0xf6 && group_of(i) > 5;

	return i->form & X86_ODD || i->prefixes & X86_LOCK || is_string || is_division;
}

static bool is_padding(const struct x86_instruction *i)
{
	if (i->map == X86_0F)
		return i->opcode == 0x1f;
	return is_one_byte(i, 0xcc) || is_nop(i);
}

static bool calls_system(const struct x86_instruction *i)
{
	if (i->map == X86_0F)
		return i->opcode == 0x05 || i->opcode == 0x34;
	return is_one_byte(i, 0xcd);
}

static void describe_flow(const struct x86_instruction *i, uint64_t address, struct step *out)
{
	out->flow = (uint8_t)flow_of(i);
	if (is_one_byte(i, 0x8d)) {
		out->traits = i->base == X86_RIP ? STEP_NAMES_DATA : 0;
		out->target = address + i->size + (uint64_t)(int64_t)i->displacement;
		return;
	}
	if (is_padding(i))
		out->traits |= STEP_IS_PADDING;
	if (out->flow == FLOW_CALL || calls_system(i))
		out->traits |= STEP_CALLS;
	if (out->flow == FLOW_BRANCH)
		out->condition = condition_of(i);
	if (out->flow == FLOW_INDIRECT && i->mod != 3 && i->index != X86_NONE)
		out->traits |= STEP_IS_INDEXED;
	if (!(i->form & X86_MODRM) || is_one_byte(i, 0xc7))
		out->target = address + i->size + (uint64_t)i->immediate;
}

static bool x86_take(
	const uint8_t *bytes, size_t n, uint64_t address, struct state *state, struct step *out)
{
	struct x86_instruction i;

	if (!x86_decode(bytes, n, &i))
		return false;
	*out = (struct step){.size = i.size};
	if (i.form & X86_LEADS)
		describe_flow(&i, address, out);
	if (state)
		x86_carry(&i, address, state, out);
	return true;
}

static unsigned x86_hazards(const uint8_t *bytes, size_t n)
{
	struct x86_instruction i;

	x86_decode(bytes, n, &i);
	return (x86_stores(&i) ? HAZARD_STORES : 0) | (is_odd(&i) ? HAZARD_IS_ODD : 0);
}

const struct stepper x86_stepper = {
	.take = x86_take,
	.hazards = x86_hazards,
	.n_registers = X86_N_REGISTERS,
	.stack_register = X86_RSP,
	.frame_register = X86_RBP,
	.goroutine_register = 14,
	.skipped_prefix = 0xf0,
	.arguments = ARGUMENTS,
	.go_arguments = GO_ARGUMENTS,

};
