// SPDX-License-Identifier: Apache-2.0
/* Where arguments and results are, compared with the manuals of both machines' ABIs. */
#include <asm/ptrace.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "bpf/arguments.h"
#include "check.h"

enum { MOST = 18 };

/* The words of x86-64's struct pt_regs up to the last that carries something. */
static const char *const x86_words[] = {"r15", "r14", "r13", "r12", "rbp", "rbx", "r11", "r10",
	"r9", "r8", "rax", "rcx", "rdx", "rsi", "rdi"};

#if defined(__x86_64__)
#define IS_WORD(name, index) \
	_Static_assert(offsetof(struct pt_regs, name) == 8 * (index), #name " is elsewhere")

IS_WORD(rbx, 5);
IS_WORD(r11, 6);
IS_WORD(r8, 9);
IS_WORD(rax, 10);
IS_WORD(rdi, 14);
#endif

/* System V's AMD64 ABI, 3.2.3; Go's cmd/compile/abi-internal.md, amd64. Those after the last have
 * no place that is known, but for C's arguments, which go on on the stack. */
static const struct {
	enum convention convention;
	bool is_return;
	const char *registers[MOST];
	int beyond;
} x86[] = {
	{CONVENTION_C, false, {"rdi", "rsi", "rdx", "rcx", "r8", "r9"}, ARGUMENT_ON_STACK},
	{CONVENTION_C, true, {"rax", "rdx"}, ARGUMENT_UNKNOWN},
	{CONVENTION_GO, false, {"rax", "rbx", "rcx", "rdi", "rsi", "r8", "r9", "r10", "r11"},
		ARGUMENT_UNKNOWN},
	{CONVENTION_GO, true, {"rax", "rbx", "rcx", "rdi", "rsi", "r8", "r9", "r10", "r11"},
		ARGUMENT_UNKNOWN},
};

/* AAPCS64, 6.8 and 6.9; abi-internal.md, arm64: in x0 and on, so many of them. */
static const struct {
	enum convention convention;
	bool is_return;
	unsigned n;
} arm64[] = {
	{CONVENTION_C, false, 8},
	{CONVENTION_C, true, 2},
	{CONVENTION_GO, false, 16},
	{CONVENTION_GO, true, 16},
};

static const char *place_name(int place)
{
	if (place >= (int)ARRAY_SIZE(x86_words))
		return "a word too far";
	return place >= 0 ? x86_words[place] : place == ARGUMENT_ON_STACK ? "stack" : "unknown";
}

static void x86_registers_are_the_abis(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(x86); i++)
		for (unsigned n = 1; n <= MOST; n++) {
			const char *expected = x86[i].registers[n - 1];

			if (!expected)
				expected = place_name(x86[i].beyond);
			CHECK_STR(place_name(argument_place(
					  ABI_X86, x86[i].convention, x86[i].is_return, n)),
				expected);
		}
}

static void arm64_registers_are_the_abis(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(arm64); i++)
		for (unsigned n = 1; n <= MOST; n++)
			CHECK_INT(argument_place(
					  ABI_ARM64, arm64[i].convention, arm64[i].is_return, n),
				n <= arm64[i].n ? (int)n - 1 : ARGUMENT_UNKNOWN);
}

static void nothing_comes_before_the_first(void)
{
	CHECK_INT(argument_place(ABI_X86, CONVENTION_C, false, 0), ARGUMENT_UNKNOWN);
	CHECK_INT(argument_place(ABI_X86, CONVENTION_GO, true, 0), ARGUMENT_UNKNOWN);
	CHECK_INT(argument_place(ABI_ARM64, CONVENTION_C, false, 0), ARGUMENT_UNKNOWN);
}

static void the_seventh_lies_behind_the_return_address(void)
{
	CHECK_INT(argument_stack_offset(7), 8);
	CHECK_INT(argument_stack_offset(8), 16);
}

static void this_machine_is_one_of_them(void)
{
#if defined(__x86_64__)
	CHECK_INT(argument_register(CONVENTION_C, false, 1), offsetof(struct pt_regs, rdi) / 8);
#else
	CHECK_INT(argument_register(CONVENTION_C, false, 2), 1);
#endif
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(x86_registers_are_the_abis),
		CHECK_TEST(arm64_registers_are_the_abis),
		CHECK_TEST(nothing_comes_before_the_first),
		CHECK_TEST(the_seventh_lies_behind_the_return_address),
		CHECK_TEST(this_machine_is_one_of_them),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
