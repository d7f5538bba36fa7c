/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the room: the parts of an x86-64 instruction. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Registers are numbered as in the encoding; the stack pointer is 4. */
enum x86_register {
	X86_RAX,
	X86_RCX,
	X86_RDX,
	X86_RBX,
	X86_RSP,
	X86_RBP,
	X86_RSI,
	X86_RDI,
	X86_R8,
	X86_R9,
	X86_R10,
	X86_R11,
	X86_N_REGISTERS = 16,
	X86_RIP = 16, /* as the base of a memory operand */
	X86_NONE = 17,
};

enum x86_map { X86_ONE_BYTE, X86_0F, X86_0F38, X86_0F3A, X86_OTHER_MAP };

/* What a table says of an opcode: what follows it, and which registers it writes. */
enum x86_form {
	X86_VALID = 1 << 0,
	X86_MODRM = 1 << 1,
	X86_IMM8 = 1 << 2,
	X86_IMM16 = 1 << 3,
	X86_IMM32 = 1 << 4,      /* 16 bits with a 66 prefix */
	X86_IMM64 = 1 << 5,      /* as X86_IMM32, but 64 bits with REX.W */
	X86_OFFSET = 1 << 6,     /* an address of 64 bits, of 32 with a 67 prefix */
	X86_BYTE = 1 << 7,       /* its operands are bytes */
	X86_TO_RM = 1 << 8,      /* writes the register or memory of modrm */
	X86_TO_REG = 1 << 9,     /* writes modrm's register */
	X86_TO_OPCODE = 1 << 10, /* writes the register in the opcode's low bits */
	X86_TO_RAX = 1 << 11,
	X86_TO_VEX = 1 << 12,   /* writes the register in VEX.vvvv */
	X86_TO_FIXED = 1 << 13, /* writes any of rax, rcx, rdx, rbx, rsi, rdi */
	X86_ODD = 1 << 14,      /* faults, traps, blocks, repeats or serves a system */
	X86_FLAGS = 1 << 15,    /* leaves the flags alone */
	X86_GROUP = 1 << 16,    /* modrm's middle bits or a prefix choose the operation */
	X86_STACK = 1 << 17,    /* moves the stack pointer without naming it */
	X86_LEADS = 1 << 18,    /* control may go elsewhere, or it is padding */
};

enum x86_prefix {
	X86_WORD = 1 << 0,  /* 66 */
	X86_SHORT = 1 << 1, /* 67 */
	X86_LOCK = 1 << 2,
	X86_F2 = 1 << 3,
	X86_F3 = 1 << 4,
	X86_REX = 1 << 5,
	X86_REX_W = 1 << 6,
	X86_IS_VEX = 1 << 7, /* VEX or EVEX */
};

struct x86_instruction {
	uint8_t size;
	uint8_t map; /* enum x86_map */
	uint8_t opcode;
	uint32_t form;              /* enum x86_form */
	uint8_t prefixes;           /* enum x86_prefix */
	uint8_t mod, reg, rm;       /* with the bits of REX; mod is 3 for a register */
	uint8_t vex;                /* VEX.vvvv */
	uint8_t base, index, shift; /* of a memory operand: enum x86_register */
	int32_t displacement;
	int64_t immediate; /* sign-extended; a branch's distance too */
};

/* Splits the instruction at the start of bytes (n of them). false for what is none, or is not
 * whole: where the tables say nothing of an opcode, that is taken for no instruction. */
bool x86_decode(const uint8_t *bytes, size_t n, struct x86_instruction *out);

/* The table's word for an opcode of X86_ONE_BYTE or X86_0F. */
extern const uint32_t x86_one_byte_forms[256], x86_0f_forms[256];
