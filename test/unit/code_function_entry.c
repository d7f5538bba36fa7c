// SPDX-License-Identifier: Apache-2.0
/* Where the site of an x86-64 function's entry goes. */
#include "code_function.h"

static const struct function_case entries[] = {
	{"a push stays",
		/* push %rbx; pop %rbx; x: ret */
		"53 5b c3", "+0 push | +2 return"},
	{"over endbr64",
		/* endbr64; s: push %rbx; pop %rbx; x: ret */
		"f3 0f 1e fa 53 5b c3", "+4 push | +6 return"},
	{"over what computes",
		/* endbr64; mov %edi,%eax; xor %edx,%edx; lea 4(%rsi),%rcx; test %rdi,%rdi; mov
		 * (%rsi),%r8; movups %xmm0,(%rdi); s: push %rbx; pop %rbx; x: ret */
		"f3 0f 1e fa 89 f8 31 d2 48 8d 4e 04 48 85 ff 4c 8b 06 0f 11 07 53 5b c3",
		"+21 push | +23 return"},
	{"to a branch",
		/* test %rdi,%rdi; s: je 1f; mov $1,%eax; x: ret; 1: xor %eax,%eax; y: ret */
		"48 85 ff 74 06 b8 01 00 00 00 c3 31 c0 c3", "+3 nop | +10 return, +13 return"},
	{"a long nop",
		/* nopl 0(%rax); x: ret */
		"0f 1f 00 c3", "+0 nop | +3 return"},
	{"an argument is read and kept",
		/* mov %rsi,%rax; s: push %rbx; pop %rbx; x: ret */
		"48 89 f0 53 5b c3", "+3 push | +5 return", .options = READS},
	{"an argument is read and lost",
		/* xor %edx,%edx; push %rbx; pop %rbx; x: ret */
		"31 d2 53 5b c3",
		"+0 step: an argument is overwritten before a cheap instruction | +4 return",
		.options = READS},
	{"an argument's memory is lost",
		/* mov %rsi,(%rdi); push %rbx; pop %rbx; x: ret */
		"48 89 37 53 5b c3",
		"+0 step: memory is written before a cheap instruction | +5 return",
		.options = READS},
	{"a vector is stored where arguments are read",
		/* movups %xmm0,(%rdi); push %rbx; pop %rbx; x: ret */
		"0f 11 07 53 5b c3",
		"+0 step: memory is written before a cheap instruction | +5 return",
		.options = READS},
	{"a lower half of an argument is lost",
		/* mov $1,%dil; push %rbx; pop %rbx; x: ret */
		"40 b7 01 53 5b c3",
		"+0 step: an argument is overwritten before a cheap instruction | +5 return",
		.options = READS},
	{"the second byte of rax is no argument",
		/* mov $1,%ah; s: push %rbx; pop %rbx; x: ret */
		"b4 01 53 5b c3", "+2 push | +4 return", .options = READS},
	{"the stack moves",
		/* sub $8,%rsp; push %rbx; pop %rbx; add $8,%rsp; x: ret */
		"48 83 ec 08 53 5b 48 83 c4 08 c3",
		"+0 step: the stack pointer is moved before a cheap instruction | +10 return"},
	{"the stack may move",
		/* sub $24,%rsp; mov %rdi,8(%rsp); s: push %rbx; pop %rbx; add $24,%rsp; x: ret */
		"48 83 ec 18 48 89 7c 24 08 53 5b 48 83 c4 18 c3", "+9 push, 24 deep | +15 return",
		.options = DEEP},
	{"the stack may move, but not to where it can't be told",
		/* and $-16,%rsp; push %rbx; pop %rbx; mov %rbp,%rsp; x: ret */
		"48 83 e4 f0 53 5b 48 89 ec c3",
		"+0 step: the stack pointer is moved before a cheap instruction | ? it changes to "
		"another stack | switches",
		.options = DEEP},
	{"the stack may move, but not too far",
		/* sub $0x80000,%rsp; push %rbx; pop %rbx; add $0x80000,%rsp; x: ret */
		"48 81 ec 00 00 08 00 53 5b 48 81 c4 00 00 08 00 c3",
		"+0 step: the stack pointer is moved before a cheap instruction | +16 return",
		.options = DEEP},
	{"the stack may move, but a jump isn't understood",
		/* sub $8,%rsp; push %rbx; pop %rbx; jmp *(%rsi,%rdi,8) */
		"48 83 ec 08 53 5b ff 24 fe",
		"+0 step: the stack pointer is moved before a cheap instruction | ? it has an "
		"indirect jump whose targets can't be told | calls",
		.options = DEEP},
	{"the stack moves by a push that is stepped",
		/* pushq $5; pop %rax; push %rbx; pop %rbx; x: ret */
		"6a 05 58 53 5b c3",
		"+0 step: the stack pointer is moved before a cheap instruction | +5 return"},
	{"it divides",
		/* cqo; idiv %rsi; push %rbx; pop %rbx; x: ret */
		"48 99 48 f7 fe 53 5b c3",
		"+0 step: control may leave, or fault, before a cheap instruction | +7 return"},
	{"it repeats",
		/* rep stosb; push %rbx; pop %rbx; x: ret */
		"f3 aa 53 5b c3",
		"+0 step refused: a repeated string instruction: each repetition counts as a "
		"call | +4 return"},
	{"it asks the system",
		/* mov $39,%eax; syscall; push %rbx; pop %rbx; x: ret */
		"b8 27 00 00 00 0f 05 53 5b c3",
		"+0 step: control may leave, or fault, before a cheap instruction | +9 return | "
		"calls"},
	{"nothing near",
		/* inc %eax; inc %eax; inc %eax; inc %eax; inc %eax; inc %eax; inc %eax; inc
		 * %eax; inc %eax; inc %eax; inc %eax; inc %eax; inc %eax; inc %eax; inc %eax;
		 * inc %eax; inc %eax; push %rbx; pop %rbx; x: ret */
		"ff c0 ff c0 ff c0 ff c0 ff c0 ff c0 ff c0 ff c0 ff c0 ff c0 ff c0 ff c0 ff c0 "
		"ff c0 ff c0 ff c0 ff c0 53 5b c3",
		"+0 step: nothing cheap is near | +36 return"},
	{"just near enough",
		/* inc %eax; inc %eax; inc %eax; inc %eax; inc %eax; inc %eax; inc %eax; inc
		 * %eax; inc %eax; inc %eax; inc %eax; inc %eax; inc %eax; inc %eax; inc %eax;
		 * inc %eax; s: push %rbx; pop %rbx; x: ret */
		"ff c0 ff c0 ff c0 ff c0 ff c0 ff c0 ff c0 ff c0 ff c0 ff c0 ff c0 ff c0 ff c0 "
		"ff c0 ff c0 ff c0 53 5b c3",
		"+32 push | +34 return"},
	{"nothing cheap at all",
		/* mov %edi,%eax; x: ret */
		"89 f8 c3", "+0 step: it returns before a cheap instruction | +2 return"},
	{"back to the first instruction",
		/* dec %edi; jne start; x: ret */
		"ff cf 75 fc c3",
		"+0 step refused: a branch leads back to its first instruction: each time round "
		"would count as a call | +4 return"},
	{"back to the first instruction that is cheap",
		/* push %rbx; pop %rbx; dec %edi; jne start; x: ret */
		"53 5b ff cf 75 fa c3",
		"+0 push refused: a branch leads back to its first instruction: each time round "
		"would count as a call | +6 return"},
	{"into what is skipped",
		/* endbr64; 1: mov (%rdi),%rdi; push %rbx; pop %rbx; test %rdi,%rdi; jne 1b; x:
		 * ret */
		"f3 0f 1e fa 48 8b 3f 53 5b 48 85 ff 75 f6 c3",
		"+0 step: a branch leads in before a cheap instruction | +14 return"},
	{"to the site itself",
		/* endbr64; 1: push %rbx; pop %rbx; dec %edi; jne 1b; x: ret */
		"f3 0f 1e fa 53 5b ff cf 75 fa c3",
		"+0 step: a branch leads in before a cheap instruction | +10 return"},
	{"to behind the site",
		/* endbr64; s: push %rbx; pop %rbx; 1: dec %edi; jne 1b; x: ret */
		"f3 0f 1e fa 53 5b ff cf 75 fc c3", "+4 push | +10 return"},
	{"another symbol begins in between",
		/* endbr64; w: mov %edi,%eax; push %rbx; pop %rbx; x: ret */
		"f3 0f 1e fa 89 f8 53 5b c3",
		"+0 step: a branch leads in before a cheap instruction | +8 return",
		.way_in = 0x401004},
	{"an indirect jump may lead in",
		/* endbr64; push %rbx; pop %rbx; jmp *(%rsi,%rdi,8) */
		"f3 0f 1e fa 53 5b ff 24 fe",
		"+0 step: it isn't known where all of its branches lead | ? it has an indirect "
		"jump whose targets can't be told | calls"},
	{"an indirect jump with a frame can't lead in",
		/* endbr64; s: push %rbx; jmp *(%rsi,%rdi,8) */
		"f3 0f 1e fa 53 ff 24 fe",
		"+4 push | ? it has an indirect jump whose targets can't be told | calls"},
	{"a nop of five bytes is skipped",
		/* .byte 0x0f, 0x1f, 0x44, 0, 0; s: push %rbx; pop %rbx; x: ret */
		"0f 1f 44 00 00 53 5b c3", "+5 push | +7 return"},
	{"a nop of five bytes is taken when allowed",
		/* .byte 0x0f, 0x1f, 0x44, 0, 0; push %rbx; pop %rbx; x: ret */
		"0f 1f 44 00 00 53 5b c3", "+0 nop5 | +7 return", .options = NOP5},
	{"a refused instruction is skipped",
		/* cs nopw 0(%rax,%rax); s: push %rbx; pop %rbx; x: ret */
		"2e 66 0f 1f 04 00 53 5b c3", "+6 push | +8 return"},
	{"a refused instruction is skipped for a stepped one",
		/* cs nopw 0(%rax,%rax); s: mov %edi,%eax; x: ret */
		"2e 66 0f 1f 04 00 89 f8 c3",
		"+6 step: it returns before a cheap instruction | +8 return"},
	{"a refused instruction that can't be skipped",
		/* lock incl (%rdi); push %rbx; pop %rbx; x: ret */
		"f0 ff 07 53 5b c3",
		"+0 step refused: an instruction with a lock prefix, which the kernel refuses | "
		"+5 return"},
	{"a call comes first",
		/* call known; x: ret */
		"e8 fb 0f 00 00 c3", "+0 call | +5 return | calls"},
	{"a tail call is a site",
		/* mov $1,%esi; s: jmp known */
		"be 01 00 00 00 e9 f6 0f 00 00", "+5 nop | +5 jump | calls"},
	{"a tail call is an exit's site",
		/* mov $1,%esi; x: jmp known */
		"be 01 00 00 00 e9 f6 0f 00 00",
		"+0 step: it ends before a cheap instruction | +5 jump | calls", .options = EXITS},
	{"a tail call alone",
		/* jmp known */
		"e9 fb 0f 00 00", "+0 nop | +0 jump | leads | calls"},
	{"a tail call alone has no room for two sites",
		/* jmp known */
		"e9 fb 0f 00 00", "+0 nop | ? it only jumps to another function | leads | calls",
		.options = EXITS},
	{"nor behind a mark",
		/* endbr64; jmp known */
		"f3 0f 1e fa e9 f7 0f 00 00",
		"+0 step: it ends before a cheap instruction | ? it only jumps to another function "
		"| leads | calls",
		.options = EXITS},
	{"a return alone has no room either",
		/* ret */
		"c3",
		"+0 step: it returns before a cheap instruction | ? its first instruction ends it "
		"already",
		.options = EXITS},
	{"the return address is read",
		/* mov (%rsp),%rax; push %rbx; pop %rbx; x: ret */
		"48 8b 04 24 53 5b c3",
		"+0 step: the return address is used before a cheap instruction | +6 return | "
		"touches"},
	{"bytes that are no code",
		/* data: .byte 0x06, 0x90; ret */
		"06 90 c3",
		"+0 step refused: not a known instruction | ? it contains bytes that are no "
		"known instruction | calls touches"},
};

static void entry_sites(void)
{
	CHECK_FUNCTIONS(ELF_MACHINE_X86_64, entries);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(entry_sites),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
