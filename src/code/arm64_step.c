// SPDX-License-Identifier: Apache-2.0
/*
 * AArch64: where an instruction leads and what it writes. What it makes of the values in
 * registers is arm64_carry.c's.
 *
 * Where a mask would have to be exact to tell which registers an instruction writes, all that it
 * names are taken for written: the stack pointer is only among them where it really can be.
 */
#include "code/arm64_step.h"

#include "base/cleanup.h"

enum { NOP = 0xd503201f };
enum { FRAME = 29, LINK = 30, STACK = 31 };

static const struct row {
	uint32_t mask, value;
	uint8_t flow;
	uint8_t low_bit, n_bits; /* where the distance of a direct one is kept, in words */
} flows[] = {
	{0xfc000000, 0x14000000, FLOW_JUMP, 0, 26},    /* b */
	{0xfc000000, 0x94000000, FLOW_CALL, 0, 26},    /* bl */
	{0xff000000, 0x54000000, FLOW_BRANCH, 5, 19},  /* b.cond bc.cond */
	{0x7e000000, 0x34000000, FLOW_BRANCH, 5, 19},  /* cbz cbnz */
	{0x7e000000, 0x36000000, FLOW_BRANCH, 5, 14},  /* tbz tbnz */
	{0x7e000000, 0x74000000, FLOW_BRANCH, 5, 9},   /* cb.cond */
	{0xfffffc1f, 0xd61f0000, FLOW_INDIRECT, 0, 0}, /* br */
	{0xfefff800, 0xd61f0800, FLOW_INDIRECT, 0, 0}, /* braa ... */
	{0xfffffc1f, 0xd63f0000, FLOW_CALL, 0, 0},     /* blr */
	{0xfefff800, 0xd63f0800, FLOW_CALL, 0, 0},     /* blraa ... */
	{0xfffffc1f, 0xd65f0000, FLOW_RETURN, 0, 0},
	{0xfffffbff, 0xd65f0bff, FLOW_RETURN, 0, 0}, /* retaa retab */
	{0xff000000, 0xd6000000, FLOW_ODD, 0, 0},    /* eret drps */
	{0xff000000, 0xd7000000, FLOW_ODD, 0, 0},
	{0xffe0001f, 0xd4200000, FLOW_STOP, 0, 0}, /* brk */
	{0xffff0000, 0x00000000, FLOW_STOP, 0, 0}, /* udf */
};

static const struct row *row_find(uint32_t word)
{
	for (size_t i = 0; i < ARRAY_SIZE(flows); i++)
		if ((word & flows[i].mask) == flows[i].value)
			return &flows[i];
	return NULL;
}

static bool is_branch_group(uint32_t word)
{
	return (word & 0x1c000000) == 0x14000000;
}

static bool is_load_or_store(uint32_t word)
{
	return (word & 0x0a000000) == 0x08000000;
}

/* The groups of the architecture's first decoding step in which nothing is allocated. */
static bool is_unallocated(uint32_t word)
{
	unsigned group = word >> 25 & 0xf;

	return group == 1 || group == 3 || (group == 0 && !(word & 0x80000000) && word >> 16);
}

static uint32_t bit_of(unsigned reg)
{
	return reg == STACK ? 0 : 1u << reg; /* elsewhere than as a base, 31 is zero */
}

static bool is_pair(uint32_t word)
{
	return (word & 0x3a000000) == 0x28000000;
}

/* One register, at a base with an offset of any kind; or an atomic operation. */
static bool is_plain(uint32_t word)
{
	return (word & 0x3a000000) == 0x38000000;
}

static bool is_atomic(uint32_t word)
{
	return is_plain(word) && (word & 0x01200c00) == 0x00200000;
}

static bool is_literal(uint32_t word)
{
	return (word & 0x3b000000) == 0x18000000;
}

static bool is_vector(uint32_t word)
{
	return word & 0x04000000;
}

/* stg and its like. */
static bool is_tag(uint32_t word)
{
	return (word & 0xff200000) == 0xd9200000;
}

/* Of the pre- and post-indexed forms. */
static bool writes_base(uint32_t word)
{
	if (is_pair(word))
		return word & 0x00800000;
	return (word & 0x3b200400) == 0x38000400 ||
	       (word & 0xff200c00) == 0xf8200c00 || /* ldraa ldrab */
	       (word & 0xbf800000) == 0x0c800000 || /* structures of vectors */
	       (word & 0xbf800000) == 0x0d800000 || (is_tag(word) && word & 0x00000400);
}

static bool stores(uint32_t word)
{
	if ((word & 0xfe000000) == 0xe4000000)
		return true; /* SVE */
	if (!is_load_or_store(word) || is_literal(word))
		return false;
	if (is_pair(word))
		return !(word & 0x00400000);
	if (is_plain(word) && !is_atomic(word))
		return is_vector(word) ? !(word & 0x00400000) : !(word & 0x00c00000);
	return true;
}

static uint32_t written_by_memory(uint32_t word)
{
	uint32_t written = writes_base(word) ? 1u << (word >> 5 & 31) : 0;

	if (is_vector(word) ||
		(stores(word) && (is_pair(word) || is_plain(word)) && !is_atomic(word)))
		return written;
	written |= bit_of(word & 31);
	if (is_pair(word))
		written |= bit_of(word >> 10 & 31);
	else if (is_atomic(word))
		written |= bit_of(word >> 16 & 31);
	else if (!is_plain(word) && !is_literal(word) && !is_tag(word))
		written |=
			bit_of(word >> 5 & 31) | bit_of(word >> 10 & 31) | bit_of(word >> 16 & 31);
	return written;
}

/* Of the instructions that compute, those in which 31 as the result is the stack pointer. */
static bool can_write_stack(uint32_t word)
{
	return (word & 0x3f800000) == 0x11000000 || /* add sub of an immediate */
	       (word & 0x3fc00000) == 0x11800000 || /* addg subg */
	       (word & 0x3fe00000) == 0x0b200000 || /* add sub, extended */
	       ((word & 0x1f800000) == 0x12000000 && (word & 0x60000000) != 0x60000000) ||
	       (word & 0xffa0f800) == 0x04205000 || /* addvl addpl */
	       (word & 0xffe0fc00) == 0x9ac01000;   /* irg */
}

static bool is_system_read(uint32_t word)
{
	return (word & 0xfff00000) == 0xd5300000 || (word & 0xfff80000) == 0xd5280000;
}

/* paciasp and its like, which are hints. */
static bool signs_link(uint32_t word)
{
	return (word & 0xffffff1f) == 0xd503231f || word == 0xd50320ff;
}

static bool is_call(uint32_t word)
{
	const struct row *row = row_find(word);

	return row && row->flow == FLOW_CALL;
}

uint32_t arm64_written(uint32_t word)
{
	if (signs_link(word))
		return 1u << LINK;
	if (is_branch_group(word))
		return is_call(word) ? 1u << LINK : is_system_read(word) ? bit_of(word & 31) : 0;
	if (is_load_or_store(word))
		return written_by_memory(word);
	return (word & 31) == STACK && can_write_stack(word) ? 1u << STACK : bit_of(word & 31);
}

/* A copy of the return address that is made before a probe would replace it. */
static bool reads_link(uint32_t word)
{
	if (stores(word))
		return !is_vector(word) && ((word & 31) == LINK || (word >> 10 & 31) == LINK);
	return (word & 0x7fe0ffe0) == 0x2a0003e0 && (word >> 16 & 31) == LINK;
}

/* System instructions but for reads of registers and landing pads for branches; exceptions. */
static bool is_odd(uint32_t word)
{
	bool is_landing_pad = (word & 0xffffff3f) == 0xd503241f || word == NOP;
	bool is_exclusive = (word & 0x3f000000) == 0x08000000;

	if (is_branch_group(word))
		return !row_find(word) && !is_landing_pad && !is_system_read(word);
	return is_exclusive;
}

static void describe_flow(uint32_t word, uint64_t address, struct step *out)
{
	const struct row *row = is_branch_group(word) || !(word >> 16) ? row_find(word) : NULL;
	int64_t distance;

	if (!row)
		return;
	out->flow = row->flow;
	if (row->flow == FLOW_BRANCH)
		out->condition = (word & 0xff000000) == 0x54000000 ? word & 0xf : STEP_NO_CONDITION;
	if (!row->n_bits)
		return;
	distance = (int64_t)((uint64_t)word << (64 - row->low_bit - row->n_bits)) >>
		   (64 - row->n_bits);
	out->target = address + (uint64_t)(distance * 4);
}

static void describe(uint32_t word, uint64_t address, struct step *out)
{
	bool is_system_call = (word & 0xffe0001f) == 0xd4000001;

	*out = (struct step){.size = 4};
	describe_flow(word, address, out);
	if (word == NOP || !word)
		out->traits |= STEP_IS_PADDING;
	if (out->flow == FLOW_CALL || is_system_call)
		out->traits |= STEP_CALLS;
}

static uint32_t word_of(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
}

static bool arm64_take(
	const uint8_t *bytes, size_t n, uint64_t address, struct state *state, struct step *out)
{
	uint32_t word;

	if (n < 4)
		return false;
	word = word_of(bytes);
	if (is_unallocated(word))
		return false;
	describe(word, address, out);
	if (state)
		arm64_carry(word, address, state, out);
	return true;
}

static unsigned arm64_hazards(const uint8_t *bytes, size_t n)
{
	uint32_t word = n < 4 ? 0 : word_of(bytes);

	return (stores(word) ? HAZARD_STORES : 0) | (is_odd(word) ? HAZARD_IS_ODD : 0) |
	       (reads_link(word) ? HAZARD_USES_RETURN : 0);
}

const struct stepper arm64_stepper = {
	.take = arm64_take,
	.hazards = arm64_hazards,
	.n_registers = 32,
	.stack_register = STACK,
	.frame_register = FRAME,
	.goroutine_register = 28,
	.arguments = 0x1ff, /* x0 to x7, and where a large result goes */
	.go_arguments = 0xffff,
	.link = 1u << LINK,
};
