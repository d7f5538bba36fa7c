// SPDX-License-Identifier: Apache-2.0
/*
 * Go's functions: the check of the stack that they begin with, where they go on after a panic, and
 * what their table says of where they end.
 */
#include "code_function.h"

#define SMALL "49 3b 66 10 76 06 "                /* cmp 16(%r14),%rsp; jbe 1f */
#define GROW "90 e8 00 10 00 00 eb "              /* 1: nop; call morestack; jmp start */
#define LARGE "4c 8d 64 24 80 4d 3b 66 10 76 06 " /* lea -128(%rsp),%r12; cmp; jbe 1f */
#define HUGE                                                                               \
	"49 89 e4 49 81 ec 00 00 10 00 0f 82 0c 00 00 00 " /* mov %rsp,%r12; sub; jb 1f */ \
	"4d 3b 66 10 76 06 "                               /* cmp; jbe 1f */
#define BODY "55 48 89 e5 5d c3" /* push %rbp; mov %rsp,%rbp; pop %rbp; ret */

static const struct function_case checks[] = {
	{"a small frame", SMALL BODY " " GROW "ec", "+4 nop if 7 | +11 return | calls",
		.options = GO},
	{"a larger frame", LARGE BODY " " GROW "e7", "+9 nop if 7 | +16 return | calls",
		.options = GO},
	{"a frame that may pass the end of memory", HUGE BODY " " GROW "dc",
		"+20 nop if 7 | +27 return | calls", .options = GO},
	{"of no Go function", SMALL BODY " " GROW "ec",
		"+0 step refused: a branch leads back to its first instruction: each time round "
		"would count as a call | +11 return | calls"},
	{"not if it begins anew from elsewhere too",
		/* ...; push %rbp; dec %eax; je start; pop %rbp; ret; 1: ... */
		"49 3b 66 10 76 08 55 ff c8 74 f5 5d c3 90 90 e8 00 10 00 00 eb ea",
		"+0 step refused: a branch leads back to its first instruction: each time round "
		"would count as a call | +12 return | calls",
		.options = GO},
	{"not if another branch leads behind it",
		/* cmp 16(%r14),%rsp; 2: jbe 1f; push %rbp; pop %rbp; jne 2b; ret; 1: ... */
		"49 3b 66 10 76 06 55 5d 75 fa c3 90 " GROW "ec",
		"+0 step refused: a branch leads back to its first instruction: each time round "
		"would count as a call | +10 return | calls",
		.options = GO},
	{"not if the way back does more",
		/* ...; jbe 1f; ret; 1: jne 2f; jmp start; 2: ret */
		"49 3b 66 10 76 01 c3 75 02 eb f5 c3",
		"+0 step refused: a branch leads back to its first instruction: each time round "
		"would count as a call | +6 return, +11 return",
		.options = GO},
	{"not if the stack has moved",
		/* push %rax; cmp 16(%r14),%rsp; jbe 1f; pop %rax; ret; 1: ... */
		"50 49 3b 66 10 76 06 58 c3 90 90 90 90 " GROW "eb",
		"+0 push refused: a branch leads back to its first instruction: each time round "
		"would count as a call | +8 return | calls",
		.options = GO},
	{"not if its branch can't be probed",
		/* cmp 16(%r14),%rsp; data16 jbe 1f; ... */
		"49 3b 66 10 66 76 06 " BODY " " GROW "eb",
		"+0 step refused: a branch leads back to its first instruction: each time round "
		"would count as a call | +12 return | calls",
		.options = GO},
	{"none", BODY, "+0 push | +5 return", .options = GO},
};

static const struct function_case exits[] = {
	{"where it goes on after a panic",
		/* push %rbp; pop %rbp; ret; call deferreturn; pop %rbp; ret */
		"55 5d c3 e8 00 10 00 00 5d c3", "+0 push | +2 return, +9 return? | calls",
		.options = GO},
	{"the same of no Go function", "55 5d c3 e8 00 10 00 00 5d c3",
		"+0 push | ? it contains code with an exit that nothing seems to lead to | calls"},
	{"where a table of jumps leads",
		/* push %rbp; jmp *(%rcx,%rax,8); pop %rbp; ret; nop; pop %rbp; ret */
		"55 ff 24 c1 5d c3 90 5d c3", "+0 push | +5 return?, +8 return?", .options = GO},
	{"a jump through a pointer that ends it",
		/* push %rbp; pop %rbp; jmp *%rcx */
		"55 5d ff e1", "+0 push | +2 indirect | calls", .options = GO},
	{"a jump through a pointer with a frame in place",
		/* push %rbp; jmp *%rcx */
		"55 ff e1",
		"+0 push | ? it has an indirect jump whose targets can't be told | calls",
		.options = GO},
	{"the table doesn't agree", BODY,
		"+0 push | ? by Go's own table it ends with its frame in place", .options = GO,
		.framed = START + 5},
	{"there is no table", BODY, "+0 push | ? by Go's own table it ends with its frame in place",
		.options = GO | ANYTHING},
	{"a tail call", "90 e9 fa 0f 00 00", "+0 nop | +1 jump | calls", .options = GO},
	{"a tail call of which the table doesn't agree", "90 e9 fa 0f 00 00",
		"+0 nop | ? by Go's own table it ends with its frame in place | calls",
		.options = GO, .framed = START + 1},
};

static const struct function_case goroutines[] = {
	{"looked up before a call",
		/* push %rbp; mov %fs:-8,%r14; call; pop %rbp; ret */
		"55 64 4c 8b 34 25 f8 ff ff ff e8 00 10 00 00 5d c3",
		"+0 push | +16 return | calls looks up", .options = GO},
	{"looked up again behind a call",
		/* push %rbp; call; mov %fs:-8,%r14; pop %rbp; ret */
		"55 e8 00 10 00 00 64 4c 8b 34 25 f8 ff ff ff 5d c3",
		"+0 push | +16 return | calls", .options = GO},
	{"no matter to C", "55 64 4c 8b 34 25 f8 ff ff ff e8 00 10 00 00 5d c3",
		"+0 push | +16 return | calls"},
};

/* ldr x16,[x28,#16]; cmp sp,x16; b.ls 1f; str x30,[sp,#-32]!; ldr x30,[sp],#32; ret; 1: mov
 * x3,x30; bl morestack; b start */
#define ARM64_SMALL                                                                               \
	"90 0b 40 f9 ff 63 30 eb 89 00 00 54 fe 0f 1e f8 fe 07 42 f8 c0 03 5f d6 e3 03 1e aa 00 " \
	"04 00 94 "

static const struct function_case arm64[] = {
	{"a small frame", ARM64_SMALL "f8 ff ff 17", "+8 nop if 8 | +20 return | calls touches",
		.options = GO},
	{"a jump elsewhere is none", ARM64_SMALL "f9 ff ff 17",
		"+0 step: a branch leads in before a cheap instruction | +20 return | calls "
		"touches",
		.options = GO},
};

static void the_check_of_the_stack(void)
{
	CHECK_FUNCTIONS(ELF_MACHINE_X86_64, checks);
}

static void how_calls_end(void)
{
	CHECK_FUNCTIONS(ELF_MACHINE_X86_64, exits);
}

static void who_knows_the_goroutine(void)
{
	CHECK_FUNCTIONS(ELF_MACHINE_X86_64, goroutines);
}

static void the_same_on_arm64(void)
{
	CHECK_FUNCTIONS(ELF_MACHINE_ARM64, arm64);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(the_check_of_the_stack),
		CHECK_TEST(how_calls_end),
		CHECK_TEST(who_knows_the_goroutine),
		CHECK_TEST(the_same_on_arm64),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
