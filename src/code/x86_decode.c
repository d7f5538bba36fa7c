// SPDX-License-Identifier: Apache-2.0
/*
 * How long is an x86-64 instruction, and which registers does it name?
 *
 * Capstone knows every instruction by name, and spends most of its time on writing the name down.
 * To follow the flow of a function none of that is needed: an instruction is prefixes, an opcode
 * in one of a few maps, perhaps a modrm byte with what that brings along, perhaps an immediate,
 * and tables of two bytes for each opcode say which. That decodes a hundred million bytes of code
 * in a second. Capstone has its say on the few instructions where a probe is to be placed
 * (x86.c), so that two decoders have to agree there.
 */
#include "code/x86_decode.h"

#include <endian.h>
#include <string.h>

enum { LONGEST_INSTRUCTION = 15, STACK_IN_SIB = 4, RIP_OR_NO_BASE = 5 };

/* More bytes than are ever looked at before an instruction turns out to be too long. */
enum { LOOKAHEAD = 48 };

struct cursor {
	const uint8_t *bytes;
	size_t at;
	uint8_t rex; /* its low four bits: W R X B */
};

static inline uint8_t peek(const struct cursor *c)
{
	return c->bytes[c->at];
}

static inline uint8_t take(struct cursor *c)
{
	return c->bytes[c->at++];
}

static inline int64_t take_signed(struct cursor *c, unsigned size)
{
	uint64_t value;

	memcpy(&value, c->bytes + c->at, sizeof(value));
	c->at += size;
	return (int64_t)(le64toh(value) << (64 - 8 * size)) >> (64 - 8 * size);
}

static uint8_t prefix_bit(uint8_t byte)
{
	switch (byte) {
	case 0x66:
		return X86_WORD;
	case 0x67:
		return X86_SHORT;
	case 0xf0:
		return X86_LOCK;
	case 0xf2:
		return X86_F2;
	case 0xf3:
		return X86_F3;
	default:
		return 0;
	}
}

static bool is_segment(uint8_t byte)
{
	return (byte & 0xe7) == 0x26 || (byte & 0xfe) == 0x64;
}

static bool is_opcode(uint8_t byte)
{
	return x86_one_byte_forms[byte] & X86_VALID || byte == 0x0f;
}

/* A REX counts only right in front of the opcode. */
static void take_prefixes(struct cursor *c, struct x86_instruction *out)
{
	for (; c->at < LONGEST_INSTRUCTION && !is_opcode(peek(c)); c->at++) {
		uint8_t byte = peek(c), bit = prefix_bit(byte);

		if (!bit && !is_segment(byte) && (byte & 0xf0) != 0x40)
			break;
		out->prefixes = (uint8_t)((out->prefixes | bit) & ~(X86_REX | X86_REX_W));
		c->rex = 0;
		if ((byte & 0xf0) == 0x40) {
			out->prefixes |= byte & 8 ? X86_REX | X86_REX_W : X86_REX;
			c->rex = byte & 0xf;
		}
	}
}

static uint32_t legacy_form(enum x86_map map, uint8_t opcode)
{
	switch (map) {
	case X86_ONE_BYTE:
		return x86_one_byte_forms[opcode];
	case X86_0F:
		return x86_0f_forms[opcode];
	case X86_0F38:
		return X86_VALID | X86_MODRM | (opcode >= 0xf0 ? X86_TO_REG | X86_TO_RM : 0);
	case X86_0F3A:
		return X86_VALID | X86_MODRM | X86_IMM8 | X86_TO_RM | X86_TO_FIXED;
	default:
		return 0;
	}
}

static bool vex_writes_register(uint8_t opcode)
{
	return opcode == 0x2c || opcode == 0x2d || opcode == 0x50 || opcode == 0x78 ||
	       opcode == 0x79 || opcode == 0x93 || opcode == 0xc5 || opcode == 0xd7;
}

/* VEX and EVEX: most have their results in vector or mask registers. */
static uint32_t vex_form(enum x86_map map, uint8_t opcode)
{
	unsigned form = X86_VALID | X86_MODRM;

	if (map == X86_0F && opcode == 0x77)
		return X86_VALID;
	if (map == X86_0F3A)
		form |= X86_IMM8 | X86_TO_RM | X86_TO_FIXED | (opcode == 0xf0 ? X86_TO_REG : 0);
	if (map == X86_0F38 && opcode >= 0xe0)
		form |= X86_TO_REG | X86_TO_VEX;
	if (map == X86_0F &&
		((opcode & 0xfc) == 0x70 || (opcode >= 0xc4 && opcode <= 0xc6) || opcode == 0xc2))
		form |= X86_IMM8;
	if (map == X86_0F && vex_writes_register(opcode))
		form |= X86_TO_REG;
	if (map == X86_0F && opcode == 0x7e)
		form |= X86_TO_RM;
	return form;
}

static void take_vex(struct cursor *c, struct x86_instruction *out)
{
	static const uint8_t maps[8] = {
		X86_ONE_BYTE,
		X86_0F,
		X86_0F38,
		X86_0F3A,
		X86_ONE_BYTE,
		X86_OTHER_MAP,
		X86_OTHER_MAP,
		X86_ONE_BYTE,
	};
	uint8_t first = take(c), second = take(c), third = first == 0xc5 ? second : take(c);

	out->prefixes |= X86_IS_VEX;
	out->vex = ~third >> 3 & 0xf;
	out->map = first == 0xc5 ? X86_0F : maps[second & 7];
	c->rex = ~second >> 5 & 4;
	if (first != 0xc5)
		c->rex = (uint8_t)((~second >> 5 & 7) | (third >> 4 & 8));
	if (c->rex & 8)
		out->prefixes |= X86_REX_W;
	if (first == 0x62)
		take(c);
	out->opcode = take(c);
	out->form = out->map == X86_ONE_BYTE ? 0 : vex_form(out->map, out->opcode);
}

static void take_opcode(struct cursor *c, struct x86_instruction *out)
{
	uint8_t byte = peek(c);

	if (byte == 0xc4 || byte == 0xc5 || byte == 0x62) {
		take_vex(c, out);
		return;
	}
	out->opcode = take(c);
	if (byte == 0x0f) {
		out->opcode = take(c);
		out->map = X86_0F;
		if (out->opcode == 0x38 || out->opcode == 0x3a) {
			out->map = out->opcode == 0x38 ? X86_0F38 : X86_0F3A;
			out->opcode = take(c);
		}
	}
	out->form = legacy_form(out->map, out->opcode);
}

static void take_sib(struct cursor *c, struct x86_instruction *out)
{
	uint8_t sib = take(c);

	out->base = (uint8_t)((sib & 7) | (c->rex & 1) << 3);
	out->index = (uint8_t)((sib >> 3 & 7) | (c->rex & 2) << 2);
	out->shift = sib >> 6;
	if (out->index == X86_RSP)
		out->index = X86_NONE;
	if (!out->mod && (sib & 7) == RIP_OR_NO_BASE)
		out->base = X86_NONE;
}

static void take_modrm(struct cursor *c, struct x86_instruction *out)
{
	uint8_t modrm = take(c), rm = modrm & 7;
	bool is_wide;

	out->mod = modrm >> 6;
	out->reg = (uint8_t)((modrm >> 3 & 7) | (c->rex & 4) << 1);
	out->rm = (uint8_t)(rm | (c->rex & 1) << 3);
	if (out->mod == 3)
		return;
	out->base = out->rm;
	if (rm == STACK_IN_SIB)
		take_sib(c, out);
	else if (!out->mod && rm == RIP_OR_NO_BASE)
		out->base = X86_RIP;
	is_wide = out->mod == 2 || (!out->mod && (out->base == X86_RIP || out->base == X86_NONE));
	if (is_wide || out->mod == 1)
		out->displacement = (int32_t)take_signed(c, is_wide ? 4 : 1);
}

/* test is the one instruction of its group that has an immediate. */
static bool is_test(const struct x86_instruction *i)
{
	return i->map == X86_ONE_BYTE && (i->opcode & 0xfe) == 0xf6 && !(i->reg & 6);
}

static unsigned immediate_size(const struct x86_instruction *i)
{
	unsigned word = i->prefixes & X86_WORD && !(i->prefixes & X86_REX_W) ? 2 : 4;

	if (is_test(i))
		return i->form & X86_BYTE ? 1 : word;
	if (i->form & X86_IMM64)
		return i->prefixes & X86_REX_W ? 8 : word;
	if (i->form & X86_OFFSET)
		return i->prefixes & X86_SHORT ? 4 : 8;
	return (i->form & X86_IMM8 ? 1 : 0) + (i->form & X86_IMM16 ? 2 : 0) +
	       (i->form & X86_IMM32 ? word : 0);
}

/* Vendors differ on how long a near branch with a 16-bit operand is. */
static bool is_word_branch(const struct x86_instruction *i)
{
	if (!(i->prefixes & X86_WORD) || i->prefixes & (X86_REX_W | X86_IS_VEX))
		return false;
	return i->map == X86_0F ? (i->opcode & 0xf0) == 0x80
				: i->map == X86_ONE_BYTE && (i->opcode & 0xfe) == 0xe8;
}

static bool decode(struct cursor *c, struct x86_instruction *out)
{
	unsigned size;

	take_prefixes(c, out);
	take_opcode(c, out);
	if (!(out->form & X86_VALID) || is_word_branch(out))
		return false;
	if (out->form & X86_MODRM)
		take_modrm(c, out);
	if (out->form & X86_TO_OPCODE)
		out->rm = (uint8_t)((out->opcode & 7) | (c->rex & 1) << 3);
	size = immediate_size(out);
	if (size)
		out->immediate = take_signed(c, size);
	out->size = (uint8_t)c->at;
	return c->at <= LONGEST_INSTRUCTION;
}

bool x86_decode(const uint8_t *bytes, size_t n, struct x86_instruction *out)
{
	uint8_t padded[LOOKAHEAD];
	struct cursor c = {.bytes = bytes};

	*out = (struct x86_instruction){.base = X86_NONE, .index = X86_NONE};
	if (n < LOOKAHEAD) {
		memset(padded, 0, sizeof(padded));
		c.bytes = memcpy(padded, bytes, n);
	}
	return decode(&c, out) && out->size <= n;
}
