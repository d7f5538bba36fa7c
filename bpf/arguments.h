/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Where arguments and results are, by the C ABI and by Go's own, on both machines: pure, so that
 * unit tests run it without a kernel. All are of whole words; Go counts the words of strings and
 * interfaces apart. The kernel hands a program the registers as the words of struct pt_regs, so a
 * register is told by its word's index there.
 */
#pragma once

#include <stdbool.h>

#include <linux/types.h>

enum convention { CONVENTION_C, CONVENTION_GO };
enum machine_abi { ABI_X86, ABI_ARM64 };

enum {
	ARGUMENT_UNKNOWN = -1,
	ARGUMENT_ON_STACK = -2, /* at argument_stack_offset() from the stack pointer at the entry */
	ARGUMENTS_IN_REGISTERS_X86 = 6,
};

#if defined(__TARGET_ARCH_arm64) || (!defined(__TARGET_ARCH_x86) && defined(__aarch64__))
#define ABI_HERE ABI_ARM64
#else
#define ABI_HERE ABI_X86
#endif

/* x86-64's struct pt_regs: r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi. */
enum { X86_RBX = 5, X86_R11, X86_R10, X86_R9, X86_R8, X86_RAX, X86_RCX, X86_RDX, X86_RSI, X86_RDI };

static inline __attribute__((__always_inline__)) int argument_x86_c(bool is_return, unsigned n)
{
	if (is_return)
		return n == 1 ? X86_RAX : n == 2 ? X86_RDX : ARGUMENT_UNKNOWN;
	switch (n) {
	case 1:
		return X86_RDI;
	case 2:
		return X86_RSI;
	case 3:
		return X86_RDX;
	case 4:
		return X86_RCX;
	case 5:
		return X86_R8;
	case 6:
		return X86_R9;
	default:
		return ARGUMENT_ON_STACK;
	}
}

/* Of Go 1.17 and later. */
static inline __attribute__((__always_inline__)) int argument_x86_go(unsigned n)
{
	switch (n) {
	case 1:
		return X86_RAX;
	case 2:
		return X86_RBX;
	case 3:
		return X86_RCX;
	case 4:
		return X86_RDI;
	case 5:
		return X86_RSI;
	case 6:
		return X86_R8;
	case 7:
		return X86_R9;
	case 8:
		return X86_R10;
	case 9:
		return X86_R11;
	default:
		return ARGUMENT_UNKNOWN;
	}
}

/* arm64's struct pt_regs begins with x0. */
static inline __attribute__((__always_inline__)) int argument_arm64(
	enum convention convention, bool is_return, unsigned n)
{
	unsigned most = convention == CONVENTION_GO ? 16 : is_return ? 2 : 8;

	return n >= 1 && n <= most ? (int)n - 1 : ARGUMENT_UNKNOWN;
}

/* Where argument or result number n is, from 1: a word's index, or ARGUMENT_*. */
static inline __attribute__((__always_inline__)) int argument_place(
	enum machine_abi abi, enum convention convention, bool is_return, unsigned n)
{
	if (!n)
		return ARGUMENT_UNKNOWN;
	if (abi == ABI_ARM64)
		return argument_arm64(convention, is_return, n);
	return convention == CONVENTION_GO ? argument_x86_go(n) : argument_x86_c(is_return, n);
}

/* On this machine. */
static inline __attribute__((__always_inline__)) int argument_register(
	enum convention convention, bool is_return, unsigned n)
{
	return argument_place(ABI_HERE, convention, is_return, n);
}

/* Above the return address, in order. */
static inline __attribute__((__always_inline__)) __u64 argument_stack_offset(unsigned n)
{
	return 8 * (n - ARGUMENTS_IN_REGISTERS_X86);
}
