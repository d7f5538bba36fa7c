// SPDX-License-Identifier: Apache-2.0
/* Where calls of an x86-64 function end. */
#include "code_function.h"

static const struct function_case returns[] = {
	{"every form of return",
		/* test %edi,%edi; s: je 1f; js 2f; jp 3f; w: ret; 1: x: repz ret; 2: y: ret
		 * $8; 3: z: bnd ret */
		"85 ff 74 05 78 05 7a 06 c3 f3 c3 c2 08 00 f2 c3",
		"+2 nop | +8 return, +9 return, +11 return, +14 return"},
	{"a far return",
		/* push %rbx; lret */
		"53 cb", "+0 push | ? it leaves in an unusual way | calls touches"},
	{"never",
		/* push %rbx; 1: jmp 1b */
		"53 eb fe", "+0 push | never"},
	{"a call that doesn't return at the end",
		/* push %rbx; call known; nop */
		"53 e8 fa 0f 00 00 90", "+0 push | never | calls"},
	{"it faults at the end",
		/* push %rbx; ud2 */
		"53 0f 0b", "+0 push | never"},
	{"it runs on",
		/* push %rbx; pop %rbx */
		"53 5b", "+0 push | ? its end runs on into what lies behind it | calls touches"},
	{"with the frame in place",
		/* push %rax; ret */
		"50 c3", "+0 push | ? it returns with its frame in place: that is a jump"},
	{"over its own return address",
		/* mov %rax,(%rsp); x: ret */
		"48 89 04 24 c3",
		"+0 step: the return address is used before a cheap instruction | ? it changes "
		"its return address | touches"},
	{"after taking its return address away",
		/* pop %rcx; jmp *%rcx */
		"59 ff e1",
		"+0 step: the stack pointer is moved before a cheap instruction | ? it changes "
		"its return address | calls touches"},
	{"after reading its return address from a frame",
		/* push %rbp; mov %rsp,%rbp; mov 8(%rbp),%rax; pop %rbp; x: ret */
		"55 48 89 e5 48 8b 45 08 5d c3", "+0 push | +9 return | touches"},
	{"a barrier on its return address",
		/* push %rbx; pop %rbx; lock orl $0,(%rsp); lock addl $0,(%rsp); x: ret */
		"53 5b f0 83 0c 24 00 f0 83 04 24 00 c3", "+0 push | +12 return"},
	{"a change of its return address that is no barrier",
		/* push %rbx; pop %rbx; lock orl $1,(%rsp); ret */
		"53 5b f0 83 0c 24 01 c3", "+0 push | ? it changes its return address | touches"},
};

static const struct function_case frames[] = {
	{"a frame pointer",
		/* push %rbp; mov %rsp,%rbp; sub $32,%rsp; mov %edi,-4(%rbp); leave; x: jmp
		 * known */
		"55 48 89 e5 48 83 ec 20 89 7d fc c9 e9 ef 0f 00 00", "+0 push | +12 jump | calls"},
	{"a frame of variable size",
		/* push %rbp; mov %rsp,%rbp; sub %rdi,%rsp; mov %rsp,%rax; lea -8(%rbp),%rsp;
		 * pop %rbx; pop %rbp; x: jmp known */
		"55 48 89 e5 48 29 fc 48 89 e0 48 8d 65 f8 5b 5d e9 eb 0f 00 00",
		"+0 push | +16 jump | calls"},
	{"an aligned frame",
		/* push %rbp; mov %rsp,%rbp; and $-32,%rsp; sub $64,%rsp; call known; leave; x:
		 * ret */
		"55 48 89 e5 48 83 e4 e0 48 83 ec 40 e8 ef 0f 00 00 c9 c3",
		"+0 push | +18 return | calls"},
	{"an aligned frame behind a spilled pointer",
		/* lea 8(%rsp),%r10; and $-32,%rsp; push -8(%r10); push %rbp; mov %rsp,%rbp;
		 * push %r10; sub $8,%rsp; call known; mov -8(%rbp),%r10; leave; lea
		 * -8(%r10),%rsp; x: ret */
		"4c 8d 54 24 08 48 83 e4 e0 41 ff 72 f8 55 48 89 e5 41 52 48 83 ec 08 e8 e4 0f "
		"00 00 4c 8b 55 f8 c9 49 8d 62 f8 c3",
		"+0 step: the stack pointer is moved before a cheap instruction | +37 return? | "
		"calls"},
	{"a stack that is put back",
		/* push %rbx; mov %rsp,%rbx; sub %rdi,%rsp; call known; mov %rbx,%rsp; pop
		 * %rbx; x: jmp known */
		"53 48 89 e3 48 29 fc e8 f4 0f 00 00 48 89 dc 5b e9 eb 0f 00 00",
		"+0 push | +16 jump | calls"},
	{"a stack that can't be told",
		/* push %rbx; sub %rdi,%rsp; add %rdi,%rsp; pop %rbx; x: jmp known */
		"53 48 29 fc 48 01 fc 5b e9 f3 0f 00 00", "+0 push | +8 jump? | calls"},
	{"a jump with a stack that can't be told",
		/* push %rbx; sub %rdi,%rsp; add %rdi,%rsp; pop %rbx; jmp known */
		"53 48 29 fc 48 01 fc 5b e9 f3 0f 00 00",
		"+0 push | ? it jumps elsewhere with a stack that can't be told | calls",
		.options = ANYTHING},
	{"a stack from a register",
		/* push %rbx; mov %rsi,%rsp; pop %rbx; ret */
		"53 48 89 f4 5b c3", "+0 push | ? it changes to another stack | switches"},
	{"a stack from memory",
		/* push %rbx; mov %rsp,(%rdi); mov (%rsi),%rsp; pop %rbx; ret */
		"53 48 89 27 48 8b 26 5b c3", "+0 push | ? it changes to another stack | switches"},
	{"a stack by exchange",
		/* push %rbx; xchg %rsp,%rsi; pop %rbx; ret */
		"53 48 87 e6 5b c3", "+0 push | ? it changes to another stack | switches"},
	{"a stack from the function's own frame",
		/* push %rbp; mov %rsp,%rbp; mov %rsp,-16(%rbp); sub %rdi,%rsp; mov
		 * -16(%rbp),%rsp; leave; x: ret */
		"55 48 89 e5 48 89 65 f0 48 29 fc 48 8b 65 f0 c9 c3", "+0 push | +16 return"},
	{"a segment register",
		/* push %fs; pop %fs; x: jmp known */
		"0f a0 0f a1 e9 f7 0f 00 00",
		"+0 step: the stack pointer is moved before a cheap instruction | +4 jump | "
		"calls"},
	{"a push of a word",
		/* push %rbx; pushw %ax; popw %ax; pop %rbx; x: jmp known */
		"53 66 50 66 58 5b e9 f5 0f 00 00", "+0 push | +6 jump? | calls"},
	{"two depths meet",
		/* push %rbx; test %edi,%edi; je 1f; push %rbx; 1: add %edi,%eax; x: ret */
		"53 85 ff 74 01 53 01 f8 c3", "+0 push | +8 return?"},
};

static const struct function_case jumps[] = {
	{"a tail call",
		/* push %rbx; pop %rbx; x: jmp known */
		"53 5b e9 f9 0f 00 00", "+0 push | +2 jump | calls"},
	{"a tail call to a stub without a symbol",
		/* push %rbx; pop %rbx; x: jmp framed */
		"53 5b e9 f9 1f 00 00", "+0 push | +2 jump | calls"},
	{"a tail call on a condition",
		/* push %rbx; pop %rbx; x: je known; y: ret */
		"53 5b 0f 84 f8 0f 00 00 c3", "+0 push | +2 if 4, +8 return | calls"},
	{"a near branch's condition",
		/* push %rbx; pop %rbx; c: .byte 0x0f, 0x8f; .long known-.-4; y: ret */
		"53 5b 0f 8f f8 0f 00 00 c3", "+0 push | +2 if 15, +8 return | calls"},
	{"a tail call on a condition that flags don't hold",
		/* push %rbx; pop %rbx; .byte 0x67, 0xe3, 0x7f; y: ret */
		"53 5b 67 e3 7f c3",
		"+0 push | ? it jumps elsewhere on a condition that is not in the flags | calls",
		.options = ANYTHING},
	{"a branch to what may be a part",
		/* push %rbx; pop %rbx; je framed; ret */
		"53 5b 0f 84 f8 1f 00 00 c3",
		"+0 push | ? it jumps to where no function is known to begin | elsewhere "
		"0x403000 | calls"},
	{"a jump into the middle of something",
		/* push %rbx; pop %rbx; jmp nothing */
		"53 5b e9 f9 7f 00 00",
		"+0 push | ? it jumps to where no function is known to begin | elsewhere "
		"0x409000 | calls"},
	{"a jump with the frame in place",
		/* push %rbx; jmp known */
		"53 e9 fa 0f 00 00",
		"+0 push | ? it jumps elsewhere with its frame in place | elsewhere 0x402000 | "
		"calls"},
	{"a part of its own",
		/* push %rbx; test %edi,%edi; je cold; 1: pop %rbx; x: ret; cold: call known;
		 * jmp 1b */
		"53 85 ff 0f 84 f7 2f 00 00 5b c3", "+0 push | +10 return | calls",
		.cold = "e8 fb df ff ff e9 ff cf ff ff"},
	{"a part of its own with an exit",
		/* push %rbx; test %edi,%edi; je cold; pop %rbx; x: ret; cold: call known; pop
		 * %rbx; y: jmp known */
		"53 85 ff 0f 84 f7 2f 00 00 5b c3", "+0 push | +10 return, cold+6 jump | calls",
		.cold = "e8 fb df ff ff 5b e9 f5 df ff ff"},
	{"into a part's branch to the first instruction",
		/* mov %edi,%eax; test %eax,%eax; je cold; x: ret; cold: inc %edi; jmp start */
		"89 f8 85 c0 0f 84 f6 2f 00 00 c3",
		"+0 step refused: a branch leads back to its first instruction: each time round "
		"would count as a call | +10 return",
		.cold = "ff c7 e9 f9 cf ff ff"},
	{"into the middle of an instruction",
		/* push %rbx; jmp 1f+1; 1: mov $0,%eax; pop %rbx; ret */
		"53 eb 01 b8 00 00 00 00 5b c3",
		"+0 push | ? a branch leads into the middle of an instruction | calls touches"},
	{"over a lock prefix",
		/* push %rbx; test %esi,%esi; je 1f+1; 1: lock incl (%rdi); pop %rbx; x: ret */
		"53 85 f6 74 01 f0 ff 07 5b c3", "+0 push | +9 return"},
	{"over data",
		/* push %rbx; jmp 1f; .byte 0x06, 0x07, 0xc3, 0x06; 1: pop %rbx; x: ret */
		"53 eb 04 06 07 c3 06 5b c3", "+0 push | +8 return"},
	{"over data that looks like an exit",
		/* push %rbx; jmp 1f; .byte 0xc3; 1: pop %rbx; x: ret */
		"53 eb 01 c3 5b c3",
		"+0 push | ? it contains code with an exit that nothing seems to lead to"},
	{"over padding",
		/* push %rbx; jmp 1f; nopl 0(%rax); int3; 1: pop %rbx; x: ret */
		"53 eb 04 0f 1f 00 cc 5b c3", "+0 push | +8 return"},
	{"a part that it calls",
		/* push %rbx; call 1f; pop %rbx; ret; 1: ret */
		"53 e8 02 00 00 00 5b c3 c3",
		"+0 push | ? it calls a part of itself, which returns as the function does | "
		"calls touches"},
	{"itself called",
		/* push %rbx; call start; pop %rbx; x: ret */
		"53 e8 fa ff ff ff 5b c3", "+0 push | +7 return | calls"},
	{"a call that doesn't return in the middle",
		/* push %rbx; test %edi,%edi; je 1f; push %rax; call known; 1: pop %rbx; x: jmp
		 * known */
		"53 85 ff 74 06 50 e8 f5 0f 00 00 5b e9 ef 0f 00 00", "+0 push | +12 jump | calls"},
	{"the same the other way round",
		/* push %rbx; push %rax; test %edi,%edi; jne 2f; call known; 1: pop %rbx; x:
		 * jmp known; 2: pop %rax; jmp 1b */
		"53 50 85 ff 75 0b e8 f5 0f 00 00 5b e9 ef 0f 00 00 58 eb f7",
		"+0 push | +12 jump | calls"},
	{"a landing pad that is known",
		/* push %rbx; call known; pop %rbx; x: ret; w: mov %rax,%rdi; call known; pop
		 * %rbx; y: ret */
		"53 e8 fa 0f 00 00 5b c3 48 89 c7 e8 f0 0f 00 00 5b c3",
		"+0 push | +7 return, +17 return? | calls", .way_in = 0x401008},
	{"a landing pad that is not",
		/* push %rbx; call known; pop %rbx; x: ret; w: mov %rax,%rdi; call known; pop
		 * %rbx; y: ret */
		"53 e8 fa 0f 00 00 5b c3 48 89 c7 e8 f0 0f 00 00 5b c3",
		"+0 push | ? it contains code with an exit that nothing seems to lead to | "
		"calls"},
	{"a landing pad without an exit",
		/* push %rbx; call known; 1: pop %rbx; x: ret; w: mov %rax,%rdi; call known;
		 * jmp 1b */
		"53 e8 fa 0f 00 00 5b c3 48 89 c7 e8 f0 0f 00 00 eb f4",
		"+0 push | +7 return | calls"},
	{"a way in that lies elsewhere",
		/* push %rbx; pop %rbx; x: ret */
		"53 5b c3", "+0 push | +2 return", .way_in = 0x409000},
	{"a landing pad learns where the frame is",
		/* push %rbx; call known; 1: pop %rbx; x: jmp known; w: mov %rax,%rdi; call
		 * known; jmp 1b */
		"53 e8 fa 0f 00 00 5b e9 f4 0f 00 00 48 89 c7 e8 ec 0f 00 00 eb f0",
		"+0 push | +7 jump | calls", .way_in = 0x40100c},
};

static void how_calls_return(void)
{
	CHECK_FUNCTIONS(ELF_MACHINE_X86_64, returns);
}

static void what_is_known_of_the_stack(void)
{
	CHECK_FUNCTIONS(ELF_MACHINE_X86_64, frames);
}

static void where_jumps_lead(void)
{
	CHECK_FUNCTIONS(ELF_MACHINE_X86_64, jumps);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(how_calls_return),
		CHECK_TEST(what_is_known_of_the_stack),
		CHECK_TEST(where_jumps_lead),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
