// SPDX-License-Identifier: Apache-2.0
/*
 * AArch64: what is known of the registers behind an instruction. As x86_carry.c: followed are the
 * instructions by which compilers set up and tear down frames, here, and those by which they read
 * jump tables, in arm64_data.c. The first row that matches takes the instruction; without one, what
 * it writes is unknown.
 */
#include "code/arm64_effect.h"

#include "base/cleanup.h"

static void carry_system_call(const struct effect *e)
{
	state_forget_all(e->state, 0x7ffff);
	e->state->comparison.kind = VALUE_UNKNOWN;
}

static void carry_call(const struct effect *e)
{
	carry_system_call(e);
	state_forget(e->state, LINK);
}

static void carry_add_immediate(const struct effect *e)
{
	struct value v = moved(get(e, rn(e)), immediate_of(e));

	if (v.kind == VALUE_FRAME && get(e, rn(e)).kind == VALUE_SPILLED && rd(e) != STACK)
		v = value_of(VALUE_UNKNOWN, 0);
	set(e, rd(e), is_wide(e) ? v : long_bound());
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

/* A load or store of one general register at a base with an immediate. */
static void carry_plain(const struct effect *e)
{
	struct value base = get(e, rn(e));
	bool is_load = field(e, 22, 2), writes_base = e->out->written >> rn(e) & 1;
	bool is_indexed = !field(e, 24, 1) && field(e, 10, 1);

	drop_written(e);
	if (is_load && rd(e) != STACK)
		set(e, rd(e),
			value_is_on_stack(base) && field(e, 30, 2) == 3 ? spilled(rd(e))
									: arm64_bound_by_size(e));
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
			set(e, rd(e), spilled(rd(e)));
		if (field(e, 10, 5) != STACK)
			set(e, field(e, 10, 5), spilled(field(e, 10, 5)));
	}
	if (field(e, 23, 1) && value_is_on_stack(base))
		set(e, rn(e), moved(base, signed_field(e, 15, 7) * (1 << shift)));
}

static void carry_indirect(const struct effect *e)
{
	e->out->through = get_operand(e, rn(e));
}

/* Signs or checks the return address, which stays what it is. */
static void carry_sign(const struct effect *e)
{
	(void)e;
}

static void carry_strip(const struct effect *e)
{
	e->out->traits |= STEP_TOUCHES_RETURN;
}

static void carry_return(const struct effect *e)
{
	unsigned reg = rn(e) == STACK ? LINK : rn(e); /* retaa and retab name none */

	if (get(e, reg).kind != VALUE_RETURN)
		e->out->traits |= STEP_CHANGES_RETURN;
}

static const struct row {
	uint32_t mask, value;
	void (*carry)(const struct effect *e);
} rows[] = {
	{0x1f000000, 0x10000000, arm64_carry_adr},          /* adr adrp */
	{0x3f800000, 0x11000000, carry_add_immediate},      /* add sub */
	{0x7f800000, 0x71000000, arm64_carry_compare},      /* cmp */
	{0x1f800000, 0x12000000, carry_logical_immediate},  /* and orr eor ands */
	{0x7fe0ffe0, 0x2a0003e0, arm64_carry_move},         /* mov */
	{0x3fe00000, 0x0b200000, arm64_carry_sum},          /* add sub, extended */
	{0x3fe00000, 0x0b000000, arm64_carry_sum},          /* add sub, shifted */
	{0x3f200c00, 0x38200800, arm64_carry_indexed_load}, /* with a register as offset */
	{0x3f000000, 0x39000000, carry_plain},              /* with an unsigned offset */
	{0x3f200000, 0x38000000, carry_plain},              /* with a signed offset */
	{0x3f200000, 0x3c000000, carry_vector},             /* with a signed offset */
	{0x3a000000, 0x28000000, carry_pair},               /* ldp stp */
	{0xff000000, 0x54000000, arm64_carry_branch},       /* b.cond */
	{0xfc000000, 0x94000000, carry_call},               /* bl */
	{0xfffffc1f, 0xd63f0000, carry_call},               /* blr */
	{0xfefff800, 0xd63f0800, carry_call},               /* blraa ... */
	{0xffe0001f, 0xd4000001, carry_system_call},        /* svc */
	{0xfffffc1f, 0xd61f0000, carry_indirect},           /* br */
	{0xfffffc1f, 0xd65f0000, carry_return},             /* ret */
	{0xfffffbff, 0xd65f0bff, carry_return},             /* retaa retab */
	{0xffffff1f, 0xd503231f, carry_sign},               /* paciasp ... */
	{0xffffffff, 0xd50320ff, carry_strip},              /* xpaclri */
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

void arm64_carry(uint32_t word, uint64_t address, struct state *state, struct step *out)
{
	struct effect e = {.word = word, .address = address, .state = state, .out = out};

	out->written = arm64_written(word);
	if (may_write_flags(word))
		state->comparison.kind = VALUE_UNKNOWN;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if ((word & rows[i].mask) == rows[i].value) {
			rows[i].carry(&e);
			return;
		}
	}
	forget_written(&e);
}
