// SPDX-License-Identifier: Apache-2.0
/*
 * x86-64. Capstone says whether the bytes are an instruction and how long it is. Everything else
 * depends on what the kernel's uprobes make of it, and the kernel looks at little more than
 * prefixes and one opcode byte; so this file splits an instruction into the same parts and keeps
 * one table of what follows.
 *
 * Three kinds of rows:
 * - what the kernel emulates, and so costs little;
 * - what it refuses, or has refused in a version that people run. With no process running the
 *   file, the refusal comes too late for anyone to see;
 * - what it accepts and gets wrong; seen on 6.18 to kill, or to change results or counts. The
 *   kernel finds the opcode byte of a VEX-coded instruction (AVX, BMI) and looks it up as if it
 *   were a one-byte opcode: vpor (eb) is skipped as a jump is, a store by vmovdqu (7f) is lost,
 *   vcmpps (c2) runs on behind its copy as a ret would, vfnmadd132ss (9d) leaves the trap flag
 *   set as popf would. An exchange of r8 and rax (49 90) is skipped as a nop. pushf saves the
 *   trap flag that stepping it needs. A repeated string instruction traps once for each
 *   repetition, and is counted as often.
 */
#include "code/machine.h"

#include <capstone/capstone.h>
#include <string.h>

enum { NOP5_SIZE = 5, LONGEST_EMULATED_NOP = 8, LONGEST_INSTRUCTION = 16 };

enum opcode_map { ONE_BYTE, TWO_BYTE /* 0f */, THREE_BYTE /* 0f 38, 0f 3a */, VEX, EVEX, XOP };

/* An instruction as the kernel sees it. */
struct parts {
	unsigned traits;
	enum opcode_map map;
	uint8_t opcode, next; /* the byte behind the opcode: modrm, where there is one */
};

enum trait {
	IS_LOCKED = 1 << 0,
	IS_SEGMENTED = 1 << 1, /* es cs ss ds; fs and gs are nothing special */
	IS_WORD_SIZED = 1 << 2,
	IS_REPEATED = 1 << 3,
	IS_REX_B = 1 << 4,
	IS_BARE = 1 << 5,          /* no prefix but a plain REX.B */
	IS_STACK_SEGMENT = 1 << 6, /* modrm.reg is 2 */
	IS_ANY = 0,
};

static const char faults[] = "an instruction that always faults";
static const char privileged[] = "a privileged instruction";
static const char port[] = "an input or output instruction";
static const char system_call[] = "a system call or interrupt";
static const char word_branch[] = "a branch with a 16-bit operand, which the kernel refuses";
static const char repeated[] = "a repeated string instruction: each repetition counts as a call";
static const char refused_vex[] = "an AVX or BMI instruction that the kernel refuses to step";
static const char mistaken_vex[] = "an AVX or BMI instruction that the kernel takes for another";

/* The first row that matches counts; without one the instruction is stepped. */
static const struct rule {
	enum opcode_map map;
	uint8_t first, last;
	unsigned if_traits; /* all of them */
	enum cost_class cost;
	const char *refusal;
} rules[] = {
	{ONE_BYTE, 0x50, 0x57, IS_BARE, COST_PUSH, NULL},
	{ONE_BYTE, 0x6c, 0x6f, IS_ANY, COST_STEP, port},
	{ONE_BYTE, 0x70, 0x7f, IS_WORD_SIZED, COST_STEP, word_branch},
	{ONE_BYTE, 0x70, 0x7f, IS_ANY, COST_NOP, NULL}, /* jcc */
	{ONE_BYTE, 0x8e, 0x8e, IS_STACK_SEGMENT, COST_STEP, "a load of the stack segment"},
	{ONE_BYTE, 0x90, 0x90, IS_REX_B, COST_STEP, "an exchange that the kernel takes for a nop"},
	{ONE_BYTE, 0x90, 0x90, IS_ANY, COST_NOP, NULL}, /* nop, pause */
	{ONE_BYTE, 0x9c, 0x9c, IS_ANY, COST_STEP, "pushf: it would save the kernel's trap flag"},
	{ONE_BYTE, 0xa4, 0xa7, IS_REPEATED, COST_STEP, repeated},
	{ONE_BYTE, 0xaa, 0xaf, IS_REPEATED, COST_STEP, repeated},
	{ONE_BYTE, 0xcc, 0xcc, IS_ANY, COST_STEP, "a breakpoint instruction"},
	{ONE_BYTE, 0xcd, 0xcd, IS_ANY, COST_STEP, system_call},
	{ONE_BYTE, 0xcf, 0xcf, IS_ANY, COST_STEP, "a return from an interrupt"},
	{ONE_BYTE, 0xe4, 0xe7, IS_ANY, COST_STEP, port},
	{ONE_BYTE, 0xe8, 0xe9, IS_WORD_SIZED, COST_STEP, word_branch},
	{ONE_BYTE, 0xe8, 0xe8, IS_ANY, COST_CALL, NULL},
	{ONE_BYTE, 0xe9, 0xe9, IS_ANY, COST_NOP, NULL}, /* jmp */
	{ONE_BYTE, 0xeb, 0xeb, IS_WORD_SIZED, COST_STEP, word_branch},
	{ONE_BYTE, 0xeb, 0xeb, IS_ANY, COST_NOP, NULL},
	{ONE_BYTE, 0xec, 0xef, IS_ANY, COST_STEP, port},
	{ONE_BYTE, 0xf1, 0xf1, IS_ANY, COST_STEP, "a breakpoint instruction"},
	{ONE_BYTE, 0xf4, 0xf4, IS_ANY, COST_STEP, privileged}, /* hlt */
	{ONE_BYTE, 0xfa, 0xfb, IS_ANY, COST_STEP, privileged}, /* cli sti */

	{TWO_BYTE, 0x05, 0x05, IS_ANY, COST_STEP, system_call}, /* syscall */
	{TWO_BYTE, 0x06, 0x06, IS_ANY, COST_STEP, privileged},  /* clts */
	{TWO_BYTE, 0x07, 0x09, IS_ANY, COST_STEP, privileged},  /* sysret invd wbinvd */
	{TWO_BYTE, 0x0b, 0x0b, IS_ANY, COST_STEP, faults},      /* ud2 */
	{TWO_BYTE, 0x20, 0x23, IS_ANY, COST_STEP, privileged},  /* control, debug registers */
	{TWO_BYTE, 0x30, 0x30, IS_ANY, COST_STEP, privileged},  /* wrmsr */
	{TWO_BYTE, 0x32, 0x32, IS_ANY, COST_STEP, privileged},  /* rdmsr */
	{TWO_BYTE, 0x34, 0x35, IS_ANY, COST_STEP, system_call}, /* sysenter sysexit */
	{TWO_BYTE, 0x37, 0x37, IS_ANY, COST_STEP, privileged},  /* getsec */
	{TWO_BYTE, 0x80, 0x8f, IS_WORD_SIZED, COST_STEP, word_branch},
	{TWO_BYTE, 0x80, 0x8f, IS_ANY, COST_NOP, NULL},    /* jcc */
	{TWO_BYTE, 0xb9, 0xb9, IS_ANY, COST_STEP, faults}, /* ud1 */
	{TWO_BYTE, 0xff, 0xff, IS_ANY, COST_STEP, faults}, /* ud0 */

	{VEX, 0x06, 0x07, IS_ANY, COST_STEP, refused_vex},
	{VEX, 0x0e, 0x0e, IS_ANY, COST_STEP, refused_vex},
	{VEX, 0x16, 0x17, IS_ANY, COST_STEP, refused_vex},
	{VEX, 0x1e, 0x1f, IS_ANY, COST_STEP, refused_vex},
	{VEX, 0x27, 0x27, IS_ANY, COST_STEP, refused_vex},
	{VEX, 0x2f, 0x2f, IS_ANY, COST_STEP, refused_vex},
	{VEX, 0x37, 0x37, IS_ANY, COST_STEP, refused_vex},
	{VEX, 0x3f, 0x3f, IS_ANY, COST_STEP, refused_vex},
	{VEX, 0x60, 0x62, IS_ANY, COST_STEP, refused_vex},
	{VEX, 0x6c, 0x6f, IS_ANY, COST_STEP, refused_vex},
	{VEX, 0x70, 0x7f, IS_ANY, COST_STEP, mistaken_vex}, /* jcc */
	{VEX, 0x82, 0x82, IS_ANY, COST_STEP, refused_vex},
	{VEX, 0x90, 0x90, IS_ANY, COST_STEP, mistaken_vex}, /* nop */
	{VEX, 0x9a, 0x9a, IS_ANY, COST_STEP, refused_vex},
	{VEX, 0x9d, 0x9d, IS_ANY, COST_STEP, mistaken_vex}, /* popf */
	{VEX, 0xc2, 0xc3, IS_ANY, COST_STEP, mistaken_vex}, /* ret */
	{VEX, 0xca, 0xcb, IS_ANY, COST_STEP, mistaken_vex}, /* far ret */
	{VEX, 0xcc, 0xcf, IS_ANY, COST_STEP, refused_vex},
	{VEX, 0xd4, 0xd6, IS_ANY, COST_STEP, refused_vex},
	{VEX, 0xe4, 0xe7, IS_ANY, COST_STEP, refused_vex},
	{VEX, 0xe8, 0xe9, IS_ANY, COST_STEP, mistaken_vex}, /* call, jmp */
	{VEX, 0xea, 0xea, IS_ANY, COST_STEP, refused_vex},
	{VEX, 0xeb, 0xeb, IS_ANY, COST_STEP, mistaken_vex}, /* jmp */
	{VEX, 0xec, 0xef, IS_ANY, COST_STEP, refused_vex},
	{VEX, 0xf1, 0xf1, IS_ANY, COST_STEP, refused_vex},
	{VEX, 0xf4, 0xf4, IS_ANY, COST_STEP, refused_vex},
	{VEX, 0xfa, 0xfb, IS_ANY, COST_STEP, refused_vex},
	{VEX, 0xff, 0xff, IS_ANY, COST_STEP, mistaken_vex}, /* call, jmp through memory */

	{EVEX, 0x00, 0xff, IS_ANY, COST_STEP, "an AVX-512 instruction"},
	{XOP, 0x00, 0xff, IS_ANY, COST_STEP, "an instruction of AMD's XOP set"},
};

/* Prefixes that no instruction may have. */
static const char *prefix_refusal(unsigned traits)
{
	if (traits & IS_LOCKED)
		return "an instruction with a lock prefix, which the kernel refuses";
	if (traits & IS_SEGMENTED)
		return "an instruction with a segment prefix, which the kernel refuses";
	return NULL;
}

static unsigned prefix_trait(uint8_t byte)
{
	switch (byte) {
	case 0xf0:
		return IS_LOCKED;
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e:
		return IS_SEGMENTED;
	case 0x66:
		return IS_WORD_SIZED;
	case 0xf2:
	case 0xf3:
		return IS_REPEATED;
	default:
		return 0;
	}
}

/* REX is not a prefix here. */
static bool is_prefix(uint8_t byte)
{
	return prefix_trait(byte) || byte == 0x64 || byte == 0x65 || byte == 0x67;
}

/* How many bytes lie in front of the opcode; sets p's map. */
static size_t escape_size(const uint8_t *bytes, struct parts *p)
{
	if (bytes[0] == 0xc5 || bytes[0] == 0xc4) {
		p->map = VEX;
		return bytes[0] == 0xc5 ? 2 : 3;
	}
	if (bytes[0] == 0x62 || (bytes[0] == 0x8f && bytes[1] & 0x38)) {
		p->map = bytes[0] == 0x62 ? EVEX : XOP;
		return 0;
	}
	if (bytes[0] != 0x0f)
		return 0;
	p->map = bytes[1] == 0x38 || bytes[1] == 0x3a ? THREE_BYTE : TWO_BYTE;
	return p->map == THREE_BYTE ? 2 : 1;
}

/* bytes: a whole instruction, with zeros up to its LONGEST_INSTRUCTION bytes. */
static struct parts split(const uint8_t *bytes)
{
	struct parts p = {.map = ONE_BYTE, .traits = IS_BARE};
	size_t at = 0;

	for (; at < 8 && is_prefix(bytes[at]); at++)
		p.traits = (p.traits | prefix_trait(bytes[at])) & ~(unsigned)IS_BARE;
	if ((bytes[at] & 0xf0) == 0x40) {
		p.traits |= bytes[at] & 1 ? IS_REX_B : 0;
		if (bytes[at++] != 0x41)
			p.traits &= ~(unsigned)IS_BARE;
	}
	at += escape_size(bytes + at, &p);
	p.opcode = bytes[at];
	p.next = bytes[at + 1];
	if ((p.next >> 3 & 7) == 2)
		p.traits |= IS_STACK_SEGMENT;
	return p;
}

static const struct rule *rule_find(const struct parts *p)
{
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		const struct rule *r = &rules[i];

		if (r->map == p->map && r->first <= p->opcode && p->opcode <= r->last &&
			(p->traits & r->if_traits) == r->if_traits)
			return r;
	}
	return NULL;
}

static bool is_nop(const struct parts *p)
{
	return (p->map == ONE_BYTE && p->opcode == 0x90) ||
	       (p->map == TWO_BYTE && p->opcode == 0x1f && !(p->next & 0x38));
}

/* The kernel emulates 90 with any prefixes, one form of 0f 1f for each length, and steps the
 * others; but whatever is a nop of 5 bytes may become a call. */
static enum cost_class nop_cost(const struct parts *p, const uint8_t *bytes, size_t size)
{
	static const uint8_t forms[LONGEST_EMULATED_NOP + 1][LONGEST_EMULATED_NOP] = {
		[3] = {0x0f, 0x1f, 0x00},
		[4] = {0x0f, 0x1f, 0x40, 0x00},
		[6] = {0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00},
		[7] = {0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00},
		[8] = {0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00},
	};

	if (size == NOP5_SIZE)
		return COST_NOP5;
	if (p->map == ONE_BYTE)
		return COST_NOP;
	if (size > LONGEST_EMULATED_NOP || memcmp(bytes, forms[size], size) != 0)
		return COST_STEP;
	return COST_NOP;
}

/* A thread's disassembler, opened at first use and kept: a new one spends 15 us on its tables
 * before it decodes the first instruction. 0 where it can't be opened. */
static csh disassembler(void)
{
	static _Thread_local csh handle;

	if (!handle && cs_open(CS_ARCH_X86, CS_MODE_64, &handle))
		handle = 0;
	return handle;
}

size_t x86_instruction_size(const uint8_t *bytes, size_t n, uint64_t address)
{
	cs_insn instruction = {};

	if (!disassembler() || !cs_disasm_iter(disassembler(), &bytes, &n, &address, &instruction))
		return 0;
	return instruction.size;
}

static void judge(const uint8_t *bytes, struct code_site *out)
{
	struct parts p = split(bytes);
	const struct rule *r = rule_find(&p);

	out->refusal = prefix_refusal(p.traits);
	if (!out->refusal && r) {
		out->cost = r->cost;
		out->refusal = r->refusal;
	}
	out->is_nop = !out->refusal && is_nop(&p);
	if (out->is_nop)
		out->cost = nop_cost(&p, bytes, out->size);
}

void x86_examine(const uint8_t *bytes, size_t n, uint64_t address, struct code_site *out)
{
	uint8_t padded[2 * LONGEST_INSTRUCTION] = {};
	size_t size = x86_instruction_size(bytes, n, address);

	if (!size || size > LONGEST_INSTRUCTION) {
		out->refusal = "not a known instruction";
		return;
	}
	memcpy(padded, bytes, size);
	out->size = (uint8_t)size;
	judge(padded, out);
}
