/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the room: what arm64_carry.c and arm64_data.c both do with the values of registers. */
#pragma once

#include "code/arm64_step.h"

enum { LINK = 30, STACK = 31 };

struct effect {
	uint32_t word;
	uint64_t address;
	struct state *state;
	struct step *out;
};

static inline unsigned field(const struct effect *e, unsigned low_bit, unsigned n_bits)
{
	return e->word >> low_bit & ((1u << n_bits) - 1);
}

static inline int64_t signed_field(const struct effect *e, unsigned low_bit, unsigned n_bits)
{
	return (int64_t)((uint64_t)e->word << (64 - low_bit - n_bits)) >> (64 - n_bits);
}

static inline unsigned rd(const struct effect *e)
{
	return field(e, 0, 5);
}

static inline unsigned rn(const struct effect *e)
{
	return field(e, 5, 5);
}

static inline unsigned rm(const struct effect *e)
{
	return field(e, 16, 5);
}

static inline struct value get(const struct effect *e, unsigned reg)
{
	return e->state->registers.values[reg];
}

/* 31 is zero but for those that take it for the stack pointer. */
static inline struct value get_operand(const struct effect *e, unsigned reg)
{
	return reg == STACK ? value_of(VALUE_UNKNOWN, 0) : get(e, reg);
}

static inline void set(const struct effect *e, unsigned reg, struct value value)
{
	if (reg == STACK && !value_is_on_stack(value)) {
		e->out->traits |= STEP_SWITCHES_STACK;
		value = value_of(VALUE_UNKNOWN, 0);
	}
	state_forget(e->state, reg);
	e->state->registers.values[reg] = value;
}

static inline bool is_wide(const struct effect *e)
{
	return e->word >> 31;
}

static inline void forget_written(const struct effect *e)
{
	if (e->out->written & 1u << STACK)
		e->out->traits |= STEP_SWITCHES_STACK;
	state_forget_all(e->state, e->out->written);
}

/* For those that know what becomes of the stack pointer. */
static inline void drop_written(const struct effect *e)
{
	state_forget_all(e->state, e->out->written);
}

static inline struct value moved(struct value v, int64_t distance)
{
	if (v.kind == VALUE_STACK || v.kind == VALUE_ADDRESS)
		v.number += distance;
	else if (v.kind == VALUE_SPILLED)
		v = value_of(VALUE_FRAME, 0); /* the way back from an aligned frame */
	else if (!value_is_on_stack(v))
		v = value_of(VALUE_UNKNOWN, 0);
	return v;
}

/* What is read from the function's own frame. */
static inline struct value spilled(unsigned reg)
{
	return value_of(reg == LINK ? VALUE_RETURN : VALUE_SPILLED, 0);
}

static inline struct value long_bound(void)
{
	return value_of(VALUE_LIMITED, UINT32_MAX);
}

static inline int64_t immediate_of(const struct effect *e)
{
	int64_t immediate = (int64_t)field(e, 10, 12) << (field(e, 22, 1) ? 12 : 0);

	return field(e, 30, 1) ? -immediate : immediate;
}

/* What a load of a general register leaves in it by its size alone. */
struct value arm64_bound_by_size(const struct effect *e);

/* The instructions that move values; arm64_carry.c knows which is which. */
void arm64_carry_adr(const struct effect *e);
void arm64_carry_compare(const struct effect *e);
void arm64_carry_branch(const struct effect *e);
void arm64_carry_move(const struct effect *e);
void arm64_carry_indexed_load(const struct effect *e);
void arm64_carry_sum(const struct effect *e);
