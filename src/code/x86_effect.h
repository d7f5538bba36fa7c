/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the room: what x86_carry.c and x86_data.c both do with the values of registers. */
#pragma once

#include "code/x86_step.h"

enum { WORD_SIZE = 8 };

struct effect {
	const struct x86_instruction *i;
	uint64_t address;
	struct state *state;
	struct step *out;
};

typedef void x86_carrier(const struct effect *e);

/* For the instructions that move values; NULL for others. */
x86_carrier *x86_data_carrier(const struct x86_instruction *i);

/* The address that a memory operand picks from a row of pointers, as far as known. */
struct value x86_read_pointers(const struct effect *e);

static inline struct value get(const struct effect *e, unsigned reg)
{
	return reg < X86_N_REGISTERS ? e->state->registers.values[reg] : (struct value){};
}

static inline void set(const struct effect *e, unsigned reg, struct value value)
{
	state_forget(e->state, reg);
	e->state->registers.values[reg] = value;
}

/* A new stack pointer that was found elsewhere than on this stack is another stack's. */
static inline void set_stack(const struct effect *e, struct value value)
{
	if (!value_is_on_stack(value))
		e->out->traits |= STEP_SWITCHES_STACK;
	set(e, X86_RSP, value_is_on_stack(value) ? value : value_of(VALUE_UNKNOWN, 0));
}

static inline void set_any(const struct effect *e, unsigned reg, struct value value)
{
	if (reg == X86_RSP)
		set_stack(e, value);
	else
		set(e, reg, value);
}

static inline bool is_wide(const struct x86_instruction *i)
{
	return i->prefixes & X86_REX_W;
}

static inline bool is_register(const struct x86_instruction *i)
{
	return i->mod == 3;
}

/* An operand of 32 bits clears the register's others. */
static inline bool clears_upper_half(const struct effect *e)
{
	const struct x86_instruction *i = e->i;
	bool is_long = !(i->prefixes & (X86_REX_W | X86_WORD)) && !(i->form & X86_BYTE);
	unsigned writes = i->form & (X86_TO_RM | X86_TO_REG | X86_TO_OPCODE | X86_TO_RAX |
					    X86_TO_VEX | X86_TO_FIXED);

	return is_long && i->map < X86_0F38 &&
	       (writes == X86_TO_RM || writes == X86_TO_REG || writes == X86_TO_OPCODE);
}

static inline void forget_written(const struct effect *e)
{
	uint32_t written = e->out->written;

	if (written & 1u << X86_RSP)
		e->out->traits |= STEP_SWITCHES_STACK;
	state_forget_all(e->state, written);
	if (written && clears_upper_half(e))
		set(e, (unsigned)__builtin_ctz(written), value_of(VALUE_LIMITED, UINT32_MAX));
}

static inline struct value moved(struct value v, int64_t distance)
{
	if (v.kind == VALUE_STACK || v.kind == VALUE_ADDRESS)
		v.number += distance;
	else if (!value_is_on_stack(v))
		v = value_of(VALUE_UNKNOWN, 0);
	return v;
}

static inline bool is_bounded(struct value v)
{
	return v.kind >= VALUE_BOUNDED_BYTE && v.kind <= VALUE_LIMITED;
}
