// SPDX-License-Identifier: Apache-2.0
/*
 * AArch64. Instructions are words of a fixed size, so that masks say all there is to say and no
 * disassembler is needed.
 *
 * The kernel simulates what depends on where it stands (branches, adr) and steps the rest out
 * of line. It refuses some itself (exclusive pairs, which a trap always breaks; system calls),
 * and where a mask of its own is too narrow, it steps what only works in place: the literal
 * loads of floating-point registers, the branches of Armv8.8 and later. Both kinds are refused
 * here. In the group that holds branches, exceptions and system instructions only what is
 * listed is taken; everything outside it works out of line.
 *
 * nop is simulated since 6.12, and stepped by older kernels; all else is as in 5.10 and later.
 */
#include "code/machine.h"

static const char exclusive[] = "an exclusive or ordered access, which a probe would break";
static const char literal[] = "a load of data that lies beside the code";
static const char exception[] = "a system call or another deliberate exception";
static const char hint[] = "a hint that the kernel does not step";
static const char system_write[] = "a write to a system register";
static const char branch[] = "a branch or system instruction that the kernel does not know";

enum { NOP = 0xd503201f };

/* The first row that matches counts. */
static const struct rule {
	uint32_t mask, value;
	enum cost_class cost;
	const char *refusal;
} rules[] = {
	{0xffff0000, 0x00000000, COST_STEP, "an instruction that always faults"}, /* udf */
	{0x3f000000, 0x08000000, COST_STEP, exclusive},
	{0x3b000000, 0x18000000, COST_STEP, literal},
	{0x1f000000, 0x10000000, COST_NOP, NULL},  /* adr adrp */
	{0xfc000000, 0x14000000, COST_NOP, NULL},  /* b */
	{0xfc000000, 0x94000000, COST_CALL, NULL}, /* bl */
	{0x7e000000, 0x34000000, COST_NOP, NULL},  /* cbz cbnz */
	{0x7e000000, 0x36000000, COST_NOP, NULL},  /* tbz tbnz */
	{0xff000010, 0x54000000, COST_NOP, NULL},  /* b.cond */
	{0xfffffc1f, 0xd61f0000, COST_NOP, NULL},  /* br */
	{0xfffffc1f, 0xd63f0000, COST_CALL, NULL}, /* blr */
	{0xfffffc1f, 0xd65f0000, COST_NOP, NULL},  /* ret */
	{0xff000000, 0xd4000000, COST_STEP, exception},
	{0xffffffff, NOP, COST_NOP, NULL},
	{0xffffffff, 0xd50320ff, COST_STEP, NULL}, /* xpaclri */
	{0xffffffbf, 0xd503211f, COST_STEP, NULL}, /* pacia1716 pacib1716 */
	{0xffffff9f, 0xd503231f, COST_STEP, NULL}, /* paciaz paciasp pacibz pacibsp */
	{0xffffff3f, 0xd503241f, COST_STEP, NULL}, /* bti */
	{0xfffff01f, 0xd503201f, COST_STEP, hint}, /* yield wfe autiasp ... */
	{0xfffff01f, 0xd503301f, COST_STEP, NULL}, /* clrex dsb dmb isb sb */
	{0xfff8f01f, 0xd500401f, COST_STEP, system_write},
	{0xfff00000, 0xd5100000, COST_STEP, system_write},
	{0xfff00000, 0xd5300000, COST_STEP, NULL}, /* mrs */
	{0xffd80000, 0xd5080000, COST_STEP, NULL}, /* sys sysl */
	{0x1c000000, 0x14000000, COST_STEP, branch},
	{0x00000000, 0x00000000, COST_STEP, NULL},
};

static uint32_t word_at(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
}

void arm64_examine(const uint8_t *bytes, size_t n, uint64_t address, struct code_site *out)
{
	const struct rule *r = rules;

	if (n < 4 || address % 4) {
		out->refusal = "not a known instruction";
		return;
	}
	while ((word_at(bytes) & r->mask) != r->value)
		r++;
	out->cost = r->cost;
	out->refusal = r->refusal;
	out->size = 4;
	out->is_nop = word_at(bytes) == NOP;
}
