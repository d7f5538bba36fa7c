// SPDX-License-Identifier: Apache-2.0
/*
 * In assembler, because what matters is which instruction comes first. An arm64 call overwrites the
 * return address, so that it can't come first: the site is behind what saves it.
 */
#include "trace/specimen.h"

#define SYMBOLS(name) extern const char specimen_##name[], name##_site[], name##_exit[]

/* A function's frame in the text below: its symbols and, between them, its instructions. */
#define BEGIN(name) ".p2align 4\nspecimen_" #name ":\n"
#define SITE(name) #name "_site:\n"
#define EXIT(name) #name "_exit:\n\tret\n"

#define SPECIMEN(name, class, exit_class)                                                    \
	{                                                                                    \
		.function = (void (*)(void))(uintptr_t)specimen_##name, .site = name##_site, \
		.exit = name##_exit, .cost = (class), .exit_cost = (exit_class),             \
	}

SYMBOLS(nop);
SYMBOLS(call);
SYMBOLS(step);
SYMBOLS(watched);
SYMBOLS(left);

#if defined(__x86_64__)

SYMBOLS(nop5);
SYMBOLS(push);

#define EMULATED "\tpush %rbp\n\tpop %rbp\n"
#define EMULATED_COST COST_PUSH
#define RETURN_COST COST_STEP

__asm__(".pushsection .text\n"
	/* clang-format off */
	BEGIN(nop5) SITE(nop5) "\t.byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n" EXIT(nop5)
	BEGIN(nop) SITE(nop) "\tnop\n" EXIT(nop)
	BEGIN(push) SITE(push) EMULATED EXIT(push)
	BEGIN(call) SITE(call) "\tcall 1f\n" EXIT(call) "1:\tret\n"
	BEGIN(step) SITE(step) "\tmov %rdi, %rax\n" EXIT(step)
	BEGIN(watched) SITE(watched) EMULATED EXIT(watched)
	BEGIN(left) SITE(left) EMULATED EXIT(left)
	/* clang-format on */
	".popsection\n");

#elif defined(__aarch64__)

#define EMULATED "\tnop\n"
#define EMULATED_COST COST_NOP
#define RETURN_COST COST_NOP

__asm__(".pushsection .text\n"
	/* clang-format off */
	BEGIN(nop) SITE(nop) EMULATED EXIT(nop)
	BEGIN(call) "\tmov x9, x30\n" SITE(call) "\tbl 1f\n\tmov x30, x9\n" EXIT(call) "1:\tret\n"
	BEGIN(step) SITE(step) "\tmov x0, x0\n" EXIT(step)
	BEGIN(watched) SITE(watched) EMULATED EXIT(watched)
	BEGIN(left) SITE(left) EMULATED EXIT(left)
	/* clang-format on */
	".popsection\n");

#else
#error "no functions to probe on this machine"
#endif

static const struct specimen of_class[N_COST_CLASSES] = {
#if defined(__x86_64__)
	[COST_NOP5] = SPECIMEN(nop5, COST_NOP5, RETURN_COST),
	[COST_PUSH] = SPECIMEN(push, COST_PUSH, RETURN_COST),
#endif
	[COST_NOP] = SPECIMEN(nop, COST_NOP, RETURN_COST),
	[COST_CALL] = SPECIMEN(call, COST_CALL, RETURN_COST),
	[COST_STEP] = SPECIMEN(step, COST_STEP, RETURN_COST),
};

static const struct specimen timed[N_EXIT_KINDS] = {
	[EXIT_BY_URETPROBE] = SPECIMEN(watched, EMULATED_COST, RETURN_COST),
	[EXIT_BY_EXITS] = SPECIMEN(left, EMULATED_COST, RETURN_COST),
};

const struct specimen *specimen_of(enum cost_class c)
{
	return &of_class[c];
}

const struct specimen *specimen_timed(enum exit_kind e)
{
	return &timed[e];
}
