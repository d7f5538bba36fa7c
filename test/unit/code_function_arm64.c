// SPDX-License-Identifier: Apache-2.0
/* AArch64 functions: the entry's site, exits and frames. */
#include "code_function.h"

static const struct function_case entries[] = {
	{"the frame comes first",
		/* stp x29,x30,[sp,#-32]!; mov x29,sp; ldp x29,x30,[sp],#32; x: ret */
		"fd 7b be a9 fd 03 00 91 fd 7b c2 a8 c0 03 5f d6",
		"+0 step: the stack pointer is moved before a cheap instruction | +12 return"},
	{"over bti and what computes",
		/* bti c; mov w9,w0; add x9,x9,#1; ldr x10,[x0]; str x10,[x1]; s: cbz x9,1f;
		 * mov w0,#1; 1: x: ret */
		"5f 24 03 d5 e9 03 00 2a 29 05 00 91 0a 00 40 f9 2a 00 00 f9 49 00 00 b4 20 00 "
		"80 52 c0 03 5f d6",
		"+20 nop | +28 return"},
	{"a nop",
		/* nop; x: ret */
		"1f 20 03 d5 c0 03 5f d6", "+0 nop | +4 return"},
	{"an address",
		/* adrp x0,table; x: ret */
		"20 00 00 90 c0 03 5f d6", "+0 nop | +4 return"},
	{"a return",
		/* mov w0,#1; s: ret */
		"20 00 80 52 c0 03 5f d6", "+4 nop | +4 return"},
	{"a return is an exit's site",
		/* mov w0,#1; x: ret */
		"20 00 80 52 c0 03 5f d6",
		"+0 step: it ends before a cheap instruction | +4 return", .options = EXITS},
	{"an argument is lost",
		/* mov w1,#1; cbz x0,1f; mov w0,#1; 1: x: ret */
		"21 00 80 52 40 00 00 b4 20 00 80 52 c0 03 5f d6",
		"+0 step: an argument is overwritten before a cheap instruction | +12 return",
		.options = READS},
	{"where a large result goes is an argument",
		/* mov w8,#1; cbz x0,1f; mov w0,#1; 1: x: ret */
		"28 00 80 52 40 00 00 b4 20 00 80 52 c0 03 5f d6",
		"+0 step: an argument is overwritten before a cheap instruction | +12 return",
		.options = READS},
	{"an argument's memory is lost",
		/* str x1,[x0]; cbz x0,1f; mov w0,#1; 1: x: ret */
		"01 00 00 f9 40 00 00 b4 20 00 80 52 c0 03 5f d6",
		"+0 step: memory is written before a cheap instruction | +12 return",
		.options = READS},
	{"a vector is stored where arguments are read",
		/* str q0,[x0]; cbz x0,1f; mov w0,#1; 1: x: ret */
		"00 00 80 3d 40 00 00 b4 20 00 80 52 c0 03 5f d6",
		"+0 step: memory is written before a cheap instruction | +12 return",
		.options = READS},
	{"arguments are read and kept",
		/* ldr x9,[x0]; ldr q0,[x0]; s: cbz x0,1f; mov w0,#1; 1: x: ret */
		"09 00 40 f9 00 00 c0 3d 40 00 00 b4 20 00 80 52 c0 03 5f d6",
		"+8 nop | +16 return", .options = READS},
	{"the stack moves",
		/* sub sp,sp,#16; cbz x0,1f; mov w0,#1; 1: add sp,sp,#16; x: ret */
		"ff 43 00 d1 40 00 00 b4 20 00 80 52 ff 43 00 91 c0 03 5f d6",
		"+0 step: the stack pointer is moved before a cheap instruction | +16 return"},
	{"the return address is signed",
		/* paciasp; b 1f; 1: autiasp; x: ret */
		"3f 23 03 d5 01 00 00 14 bf 23 03 d5 c0 03 5f d6",
		"+0 step: the return address is used before a cheap instruction | +12 return"},
	{"the return address is saved elsewhere",
		/* str x30,[x18],#8; b 1f; 1: ldr x30,[x18,#-8]!; ret */
		"5e 86 00 f8 01 00 00 14 5e 8e 5f f8 c0 03 5f d6",
		"+0 step: the return address is used before a cheap instruction | ? it changes "
		"its return address | touches"},
	{"the return address is read",
		/* mov x9,x30; cbz x0,1f; mov w0,#1; 1: x: ret */
		"e9 03 1e aa 40 00 00 b4 20 00 80 52 c0 03 5f d6",
		"+0 step: the return address is used before a cheap instruction | +12 return | "
		"touches"},
	{"it asks the system",
		/* mov x8,#172; svc #0; cbz x0,1f; 1: x: ret */
		"88 15 80 d2 01 00 00 d4 20 00 00 b4 c0 03 5f d6",
		"+0 step: control may leave, or fault, before a cheap instruction | +12 return "
		"| calls"},
	{"an exclusive access is no place to move over",
		/* ldxr w1,[x0]; cbz x0,1f; 1: x: ret */
		"01 7c 5f 88 20 00 00 b4 c0 03 5f d6",
		"+0 step refused: an exclusive or ordered access, which a probe would break | "
		"+8 return"},
	{"back to the first instruction",
		/* sub w0,w0,#1; cbnz w0,start; x: ret */
		"00 04 00 51 e0 ff ff 35 c0 03 5f d6",
		"+0 step refused: a branch leads back to its first instruction: each time round "
		"would count as a call | +8 return"},
	{"into what is skipped",
		/* mov w9,w0; 1: sub w9,w9,#1; cbnz w9,1b; x: ret */
		"e9 03 00 2a 29 05 00 51 e9 ff ff 35 c0 03 5f d6",
		"+0 step: a branch leads in before a cheap instruction | +12 return"},
	{"words that are no code",
		/* .word 0x02345678; x: ret */
		"78 56 34 02 c0 03 5f d6",
		"+0 step: it isn't known where all of its branches lead | ? it contains bytes "
		"that are no known instruction | calls touches"},
};

static const struct function_case exits[] = {
	{"a return that checks the address",
		/* paciasp; cbz x0,1f; 1: retaa */
		"3f 23 03 d5 20 00 00 b4 ff 0b 5f d6",
		"+0 step: the return address is used before a cheap instruction | ? it ends at "
		"an instruction that can't be probed"},
	{"two returns",
		/* cbz x0,1f; x: ret; 1: mov w0,#1; y: ret */
		"40 00 00 b4 c0 03 5f d6 20 00 80 52 c0 03 5f d6",
		"+0 nop | +4 return, +12 return"},
	{"a return through another register",
		/* mov x9,x30; b 1f; 1: x: ret x9 */
		"e9 03 1e aa 01 00 00 14 20 01 5f d6",
		"+0 step: the return address is used before a cheap instruction | +8 return | "
		"touches"},
	{"a jump that looks like a return",
		/* cbz x0,1f; 1: ret x9 */
		"20 00 00 b4 20 01 5f d6", "+0 nop | ? it changes its return address | touches"},
	{"the return address kept in a register",
		/* stp x29,x30,[sp,#-32]!; mov x29,sp; mov x19,x30; bl known; mov x30,x19; add
		 * sp,sp,#32; x: ret */
		"fd 7b be a9 fd 03 00 91 f3 03 1e aa 00 08 10 94 fe 03 13 aa ff 83 00 91 c0 03 "
		"5f d6",
		"+0 step: the stack pointer is moved before a cheap instruction | +24 return | "
		"calls touches"},
	{"a return behind a call without the address",
		/* bl known; ret */
		"00 08 10 94 c0 03 5f d6",
		"+0 call | ? it changes its return address | calls touches"},
	{"a tail call",
		/* stp x29,x30,[sp,#-32]!; mov x29,sp; ldp x29,x30,[sp],#32; x: b start+0x1000 */
		"fd 7b be a9 fd 03 00 91 fd 7b c2 a8 fd 03 00 14",
		"+0 step: the stack pointer is moved before a cheap instruction | +12 jump | "
		"calls"},
	{"a tail call on a condition",
		/* stp x29,x30,[sp,#-32]!; mov x29,sp; ldp x29,x30,[sp],#32; cmp x0,#1; x: b.ne
		 * start+0x1000; y: ret */
		"fd 7b be a9 fd 03 00 91 fd 7b c2 a8 1f 04 00 f1 81 7f 00 54 c0 03 5f d6",
		"+0 step: the stack pointer is moved before a cheap instruction | +16 if 1, +20 "
		"return | calls"},
	{"a tail call on a condition that flags don't hold",
		/* stp x29,x30,[sp,#-32]!; mov x29,sp; ldp x29,x30,[sp],#32; cbz
		 * x0,start+0x1000; ret */
		"fd 7b be a9 fd 03 00 91 fd 7b c2 a8 a0 7f 00 b4 c0 03 5f d6",
		"+0 step: the stack pointer is moved before a cheap instruction | ? it jumps "
		"elsewhere on a condition that is not in the flags | calls"},
	{"a jump with the frame in place",
		/* stp x29,x30,[sp,#-32]!; mov x29,sp; b start+0x1000 */
		"fd 7b be a9 fd 03 00 91 fe 03 00 14",
		"+0 step: the stack pointer is moved before a cheap instruction | ? it jumps "
		"elsewhere with its frame in place | elsewhere 0x402000 | calls"},
	{"a part of its own",
		/* stp x29,x30,[sp,#-32]!; mov x29,sp; cbz x0,cold; 1: ldp x29,x30,[sp],#32; x:
		 * ret; cold: bl known; tbz w0,#0,1b; ldp x29,x30,[sp],#32; y: b start+0x1000 */
		"fd 7b be a9 fd 03 00 91 c0 7f 01 b4 fd 7b c2 a8 c0 03 5f d6",
		"+0 step: the stack pointer is moved before a cheap instruction | +16 return, "
		"cold+12 jump | calls",
		.cold = "00 08 10 94 40 80 06 36 fd 7b c2 a8 fd f7 ff 17"},
	{"through a register",
		/* stp x29,x30,[sp,#-32]!; mov x29,sp; ldp x29,x30,[sp],#32; x: br x16 */
		"fd 7b be a9 fd 03 00 91 fd 7b c2 a8 00 02 1f d6",
		"+0 step: the stack pointer is moved before a cheap instruction | +12 indirect "
		"| calls"},
	{"through a register with a check",
		/* stp x29,x30,[sp,#-32]!; mov x29,sp; ldp x29,x30,[sp],#32; x: braa x16,x17 */
		"fd 7b be a9 fd 03 00 91 fd 7b c2 a8 11 0a 1f d7",
		"+0 step: it isn't known where all of its branches lead | ? it ends at an "
		"instruction that can't be probed | calls"},
	{"through a register with the frame in place",
		/* stp x29,x30,[sp,#-32]!; mov x29,sp; br x16 */
		"fd 7b be a9 fd 03 00 91 00 02 1f d6",
		"+0 step: the stack pointer is moved before a cheap instruction | ? it has an "
		"indirect jump whose targets can't be told | calls"},
	{"a call that doesn't return",
		/* stp x29,x30,[sp,#-32]!; mov x29,sp; bl known */
		"fd 7b be a9 fd 03 00 91 00 08 10 94",
		"+0 step: the stack pointer is moved before a cheap instruction | never | calls"},
	{"it traps",
		/* stp x29,x30,[sp,#-32]!; mov x29,sp; brk #1 */
		"fd 7b be a9 fd 03 00 91 20 00 20 d4",
		"+0 step: the stack pointer is moved before a cheap instruction | never"},
	{"it returns from an exception",
		/* stp x29,x30,[sp,#-32]!; mov x29,sp; .word 0xd69f03e0 */
		"fd 7b be a9 fd 03 00 91 e0 03 9f d6",
		"+0 step: it isn't known where all of its branches lead | ? it leaves in an "
		"unusual way | calls touches"},
	{"it runs on",
		/* stp x29,x30,[sp,#-32]!; mov x29,sp */
		"fd 7b be a9 fd 03 00 91",
		"+0 step: it isn't known where all of its branches lead | ? its end runs on "
		"into what lies behind it | calls touches"},
	{"a return with the frame in place",
		/* sub sp,sp,#16; ret */
		"ff 43 00 d1 c0 03 5f d6",
		"+0 step: the stack pointer is moved before a cheap instruction | ? it returns "
		"with its frame in place: that is a jump"},
	{"a stack from a register",
		/* mov sp,x1; ret */
		"3f 00 00 91 c0 03 5f d6",
		"+0 step: the stack pointer is moved before a cheap instruction | ? it changes "
		"to another stack | switches"},
	{"a return address from elsewhere",
		/* ldr x30,[x0]; ret */
		"1e 00 40 f9 c0 03 5f d6",
		"+0 step: the return address is used before a cheap instruction | ? it changes "
		"its return address | touches"},
};

static const struct function_case frames[] = {
	{"pairs",
		/* stp x29,x30,[sp,#-48]!; mov x29,sp; stp x19,x20,[sp,#16]; stp
		 * d8,d9,[sp,#-16]!; ldp d8,d9,[sp],#16; ldp x19,x20,[sp,#16]; ldp
		 * x29,x30,[sp],#48; x: b start+0x1000 */
		"fd 7b bd a9 fd 03 00 91 f3 53 01 a9 e8 27 bf 6d e8 27 c1 6c f3 53 41 a9 fd 7b "
		"c3 a8 f9 03 00 14",
		"+0 step: the stack pointer is moved before a cheap instruction | +28 jump | "
		"calls"},
	{"single registers",
		/* str x30,[sp,#-16]!; bl known; ldr x30,[sp],#16; x: b start+0x1000 */
		"fe 0f 1f f8 00 08 10 94 fe 07 41 f8 fd 03 00 14",
		"+0 step: the stack pointer is moved before a cheap instruction | +12 jump | "
		"calls"},
	{"vectors",
		/* str q8,[sp,#-16]!; ldr q8,[sp],#16; x: b start+0x1000 */
		"e8 0f 9f 3c e8 07 c1 3c fe 03 00 14",
		"+0 step: the stack pointer is moved before a cheap instruction | +8 jump | "
		"calls"},
	{"a frame of variable size",
		/* stp x29,x30,[sp,#-32]!; mov x29,sp; sub sp,sp,x0; mov x0,sp; bl known; mov
		 * sp,x29; ldp x29,x30,[sp],#32; x: b start+0x1000 */
		"fd 7b be a9 fd 03 00 91 ff 63 20 cb e0 03 00 91 00 08 10 94 bf 03 00 91 fd 7b "
		"c2 a8 f9 03 00 14",
		"+0 step: the stack pointer is moved before a cheap instruction | +28 jump | "
		"calls"},
	{"a large frame",
		/* sub sp,sp,#1,lsl #12; sub sp,sp,#16; str x30,[sp]; bl known; ldr x30,[sp];
		 * add sp,sp,#1,lsl #12; add sp,sp,#16; x: b start+0x1000 */
		"ff 07 40 d1 ff 43 00 d1 fe 03 00 f9 00 08 10 94 fe 03 40 f9 ff 07 40 91 ff 43 "
		"00 91 f9 03 00 14",
		"+0 step: the stack pointer is moved before a cheap instruction | +28 jump | "
		"calls"},
	{"an aligned frame",
		/* stp x29,x30,[sp,#-32]!; mov x29,sp; sub x9,sp,#64; and sp,x9,#-64; bl known;
		 * mov sp,x29; ldp x29,x30,[sp],#32; x: b start+0x1000 */
		"fd 7b be a9 fd 03 00 91 e9 03 01 d1 3f e5 7a 92 00 08 10 94 bf 03 00 91 fd 7b "
		"c2 a8 f9 03 00 14",
		"+0 step: the stack pointer is moved before a cheap instruction | +28 jump | "
		"calls"},
};

static void entry_sites(void)
{
	CHECK_FUNCTIONS(ELF_MACHINE_ARM64, entries);
}

static void how_calls_end(void)
{
	CHECK_FUNCTIONS(ELF_MACHINE_ARM64, exits);
}

static void what_is_known_of_the_stack(void)
{
	CHECK_FUNCTIONS(ELF_MACHINE_ARM64, frames);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(entry_sites),
		CHECK_TEST(how_calls_end),
		CHECK_TEST(what_is_known_of_the_stack),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
