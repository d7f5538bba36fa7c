// SPDX-License-Identifier: Apache-2.0
/* Jump tables of AArch64 functions. */
#include "code_function.h"

static const struct function_case tables[] = {
	{"bytes, extended",
		/* cmp w0,#2; s: b.hi 3f; adrp x1,table; add x1,x1,#:lo12:table; ldrb
		 * w1,[x1,w0,uxtw]; adr x2,1f; add x1,x2,w1,sxtb #2; br x1; 1: x: ret; 2: mov
		 * w0,#1; y: ret; 3: z: ret; table: .byte 0, (2b-1b)/4, (3b-1b)/4 */
		"1f 08 00 71 48 01 00 54 21 00 00 90 21 00 00 91 21 48 60 38 62 00 00 10 41 88 "
		"21 8b 20 00 1f d6 c0 03 5f d6 20 00 80 52 c0 03 5f d6 c0 03 5f d6",
		"+4 nop | +32 return, +40 return, +44 return", .table = "00 01 03"},
	{"halves, shifted",
		/* cmp w0,#1; s: b.hi 3f; adrp x1,table; add x1,x1,#:lo12:table; adr x2,1f; mov
		 * w0,w0; ldrh w3,[x1,x0,lsl #1]; add x2,x2,x3,lsl #2; br x2; 1: x: ret; 2: mov
		 * w0,#1; y: ret; 3: z: ret; table: .hword 0, (2b-1b)/4 */
		"1f 04 00 71 68 01 00 54 21 00 00 90 21 00 00 91 a2 00 00 10 e0 03 00 2a 23 78 "
		"60 78 42 08 03 8b 40 00 1f d6 c0 03 5f d6 20 00 80 52 c0 03 5f d6 c0 03 5f d6",
		"+4 nop | +36 return, +44 return, +48 return", .table = "00 00 01 00"},
	{"words, signed",
		/* cmp w0,#1; s: b.hi 3f; adrp x1,table; add x1,x1,#:lo12:table; mov w0,w0;
		 * ldrsw x2,[x1,x0,lsl #2]; add x1,x1,x2; br x1; 1: x: ret; 2: mov w0,#1; y:
		 * ret; 3: z: ret; table: .word 1b-table, 2b-table */
		"1f 04 00 71 48 01 00 54 21 00 00 90 21 00 00 91 e0 03 00 2a 22 78 a0 b8 21 00 "
		"02 8b 20 00 1f d6 c0 03 5f d6 20 00 80 52 c0 03 5f d6 c0 03 5f d6",
		"+4 nop | +32 return, +40 return, +44 return", .table = "20 c0 ff ff 24 c0 ff ff"},
	{"addresses",
		/* cmp w0,#1; s: b.ls 4f; 3: z: ret; 4: adrp x1,table; add x1,x1,#:lo12:table;
		 * mov w0,w0; ldr x2,[x1,x0,lsl #3]; br x2; 1: x: ret; 2: mov w0,#1; y: ret;
		 * table: .quad 1b, 2b */
		"1f 04 00 71 49 00 00 54 c0 03 5f d6 21 00 00 90 21 00 00 91 e0 03 00 2a 22 78 "
		"60 f8 40 00 1f d6 c0 03 5f d6 20 00 80 52 c0 03 5f d6",
		"+4 nop | +8 return, +32 return, +40 return",
		.table = "20 10 40 00 00 00 00 00 24 10 40 00 00 00 00 00"},
	{"without a comparison",
		/* and w0,w0,#3; s: adrp x1,table; add x1,x1,#:lo12:table; ldrsw x2,[x1,x0,lsl
		 * #2]; add x1,x1,x2; br x1; 1: x: ret; 2: mov w0,#1; y: ret; table: .word
		 * 1b-table, 2b-table, start+0x1000-table */
		"00 04 00 12 21 00 00 90 21 00 00 91 22 78 a0 b8 21 00 02 8b 20 00 1f d6 c0 03 "
		"5f d6 20 00 80 52 c0 03 5f d6",
		"+4 nop | +24 return, +32 return", .table = "18 c0 ff ff 1c c0 ff ff 00 d0 ff ff"},
	{"a load keeps the return address",
		/* str x30,[sp,#-16]!; bl known; ldr x30,[sp],#16; x: ret */
		"fe 0f 1f f8 00 08 10 94 fe 07 41 f8 c0 03 5f d6",
		"+0 step: the stack pointer is moved before a cheap instruction | +12 return | "
		"calls"},
	{"a store is no load",
		/* sub sp,sp,#16; bl known; stp x0,x30,[sp]; add sp,sp,#16; ret */
		"ff 43 00 d1 00 08 10 94 e0 7b 00 a9 ff 43 00 91 c0 03 5f d6",
		"+0 step: the stack pointer is moved before a cheap instruction | ? it changes "
		"its return address | calls touches"},
	{"what is stored in a shared library's way",
		/* cmp w0,#1; s: b.hi 3f; adrp x1,table; add x1,x1,#:lo12:table; mov w0,w0;
		 * ldrsw x2,[x1,x0,lsl #2]; add x2,x2,x1; br x2; 1: x: ret; 2: mov w0,#1; y:
		 * ret; 3: z: ret; table: .word 1b-table, 2b-table */
		"1f 04 00 71 48 01 00 54 21 00 00 90 21 00 00 91 e0 03 00 2a 22 78 a0 b8 42 00 "
		"01 8b 40 00 1f d6 c0 03 5f d6 20 00 80 52 c0 03 5f d6 c0 03 5f d6",
		"+4 nop | +32 return, +40 return, +44 return", .table = "20 c0 ff ff 24 c0 ff ff"},
	{"a comparison with moves behind it",
		/* cmp w0,#1; n: mov w9,w2; ldr x10,[x2]; q: adrp x11,table; s: b.hi 4f; adrp
		 * x1,table; add x1,x1,#:lo12:table; mov w0,w0; ldrsw x2,[x1,x0,lsl #2]; add
		 * x1,x1,x2; br x1; 1: x: ret; 2: mov w0,#1; y: ret; 3: mov w0,#2; w: ret; 4:
		 * z: ret; table: .word 1b-table, 2b-table, 3b-table */
		"1f 04 00 71 e9 03 02 2a 4a 00 40 f9 2b 00 00 90 88 01 00 54 21 00 00 90 21 00 "
		"00 91 e0 03 00 2a 22 78 a0 b8 21 00 02 8b 20 00 1f d6 c0 03 5f d6 20 00 80 52 "
		"c0 03 5f d6 40 00 80 52 c0 03 5f d6 c0 03 5f d6",
		"+12 nop | ? it contains code with an exit that nothing seems to lead to",
		.table = "2c c0 ff ff 30 c0 ff ff 38 c0 ff ff"},
	{"a comparison that is overwritten",
		/* cmp w0,#1; n: adds w9,w2,w3; s: b.hi 4f; adrp x1,table; add
		 * x1,x1,#:lo12:table; mov w0,w0; ldrsw x2,[x1,x0,lsl #2]; add x1,x1,x2; br x1;
		 * 1: x: ret; 2: mov w0,#1; y: ret; 3: mov w0,#2; w: ret; 4: z: ret; table:
		 * .word 1b-table, 2b-table, 3b-table */
		"1f 04 00 71 49 00 03 2b 88 01 00 54 21 00 00 90 21 00 00 91 e0 03 00 2a 22 78 "
		"a0 b8 21 00 02 8b 20 00 1f d6 c0 03 5f d6 20 00 80 52 c0 03 5f d6 40 00 80 52 "
		"c0 03 5f d6 c0 03 5f d6",
		"+8 nop | +36 return, +44 return, +52 return, +56 return",
		.table = "24 c0 ff ff 28 c0 ff ff 30 c0 ff ff"},
	{"a comparison whose register is overwritten",
		/* cmp w0,#1; n: ldr w0,[x2]; s: b.hi 4f; adrp x1,table; add
		 * x1,x1,#:lo12:table; mov w0,w0; ldrsw x2,[x1,x0,lsl #2]; add x1,x1,x2; br x1;
		 * 1: x: ret; 2: mov w0,#1; y: ret; 3: mov w0,#2; w: ret; 4: z: ret; table:
		 * .word 1b-table, 2b-table, 3b-table */
		"1f 04 00 71 40 00 40 b9 88 01 00 54 21 00 00 90 21 00 00 91 e0 03 00 2a 22 78 "
		"a0 b8 21 00 02 8b 20 00 1f d6 c0 03 5f d6 20 00 80 52 c0 03 5f d6 40 00 80 52 "
		"c0 03 5f d6 c0 03 5f d6",
		"+8 nop | +36 return, +44 return, +52 return, +56 return",
		.table = "24 c0 ff ff 28 c0 ff ff 30 c0 ff ff"},
	{"a comparison that is overwritten by a logical one",
		/* cmp w0,#1; n: tst w2,#1; s: b.hi 4f; adrp x1,table; add x1,x1,#:lo12:table;
		 * mov w0,w0; ldrsw x2,[x1,x0,lsl #2]; add x1,x1,x2; br x1; 1: x: ret; 2: mov
		 * w0,#1; y: ret; 3: mov w0,#2; w: ret; 4: z: ret; table: .word 1b-table,
		 * 2b-table, 3b-table */
		"1f 04 00 71 5f 00 00 72 88 01 00 54 21 00 00 90 21 00 00 91 e0 03 00 2a 22 78 "
		"a0 b8 21 00 02 8b 20 00 1f d6 c0 03 5f d6 20 00 80 52 c0 03 5f d6 40 00 80 52 "
		"c0 03 5f d6 c0 03 5f d6",
		"+8 nop | +36 return, +44 return, +52 return, +56 return",
		.table = "24 c0 ff ff 28 c0 ff ff 30 c0 ff ff"},
	{"a comparison kept by a logical one",
		/* cmp w0,#1; n: and w9,w2,#1; s: b.hi 4f; adrp x1,table; add
		 * x1,x1,#:lo12:table; mov w0,w0; ldrsw x2,[x1,x0,lsl #2]; add x1,x1,x2; br x1;
		 * 1: x: ret; 2: mov w0,#1; y: ret; 3: mov w0,#2; w: ret; 4: z: ret; table:
		 * .word 1b-table, 2b-table, 3b-table */
		"1f 04 00 71 49 00 00 12 88 01 00 54 21 00 00 90 21 00 00 91 e0 03 00 2a 22 78 "
		"a0 b8 21 00 02 8b 20 00 1f d6 c0 03 5f d6 20 00 80 52 c0 03 5f d6 40 00 80 52 "
		"c0 03 5f d6 c0 03 5f d6",
		"+8 nop | ? it contains code with an exit that nothing seems to lead to",
		.table = "24 c0 ff ff 28 c0 ff ff 30 c0 ff ff"},
	{"a comparison of the lower half alone",
		/* cmp w0,#1; n: nop; s: b.hi 4f; adrp x1,table; add x1,x1,#:lo12:table; ldrsw
		 * x2,[x1,x0,lsl #2]; add x1,x1,x2; br x1; 1: x: ret; 2: mov w0,#1; y: ret; 3:
		 * mov w0,#2; w: ret; 4: z: ret; table: .word 1b-table, 2b-table, 3b-table */
		"1f 04 00 71 1f 20 03 d5 68 01 00 54 21 00 00 90 21 00 00 91 22 78 a0 b8 21 00 "
		"02 8b 20 00 1f d6 c0 03 5f d6 20 00 80 52 c0 03 5f d6 40 00 80 52 c0 03 5f d6 "
		"c0 03 5f d6",
		"+4 nop | +32 return, +40 return, +48 return, +52 return",
		.table = "20 c0 ff ff 24 c0 ff ff 2c c0 ff ff"},
	{"a strict comparison",
		/* cmp w0,#2; n: mov w9,w2; s: b.hs 4f; adrp x1,table; add x1,x1,#:lo12:table;
		 * mov w0,w0; ldrsw x2,[x1,x0,lsl #2]; add x1,x1,x2; br x1; 1: x: ret; 2: mov
		 * w0,#1; y: ret; 3: mov w0,#2; w: ret; 4: z: ret; table: .word 1b-table,
		 * 2b-table, 3b-table */
		"1f 08 00 71 e9 03 02 2a 82 01 00 54 21 00 00 90 21 00 00 91 e0 03 00 2a 22 78 "
		"a0 b8 21 00 02 8b 20 00 1f d6 c0 03 5f d6 20 00 80 52 c0 03 5f d6 40 00 80 52 "
		"c0 03 5f d6 c0 03 5f d6",
		"+8 nop | ? it contains code with an exit that nothing seems to lead to",
		.table = "24 c0 ff ff 28 c0 ff ff 30 c0 ff ff"},
	{"a signed comparison",
		/* cmp w0,#1; n: mov w9,w2; s: b.gt 4f; adrp x1,table; add x1,x1,#:lo12:table;
		 * mov w0,w0; ldrsw x2,[x1,x0,lsl #2]; add x1,x1,x2; br x1; 1: x: ret; 2: mov
		 * w0,#1; y: ret; 3: mov w0,#2; w: ret; 4: z: ret; table: .word 1b-table,
		 * 2b-table, 3b-table */
		"1f 04 00 71 e9 03 02 2a 8c 01 00 54 21 00 00 90 21 00 00 91 e0 03 00 2a 22 78 "
		"a0 b8 21 00 02 8b 20 00 1f d6 c0 03 5f d6 20 00 80 52 c0 03 5f d6 40 00 80 52 "
		"c0 03 5f d6 c0 03 5f d6",
		"+8 nop | +36 return, +44 return, +52 return, +56 return",
		.table = "24 c0 ff ff 28 c0 ff ff 30 c0 ff ff"},
	{"an entry that leads elsewhere",
		/* stp x29,x30,[sp,#-32]!; mov x29,sp; cmp w0,#1; s: b.hi 3f; adrp x1,table;
		 * add x1,x1,#:lo12:table; mov w0,w0; ldrsw x2,[x1,x0,lsl #2]; add x1,x1,x2; br
		 * x1; 1: mov w0,#1; 3: ldp x29,x30,[sp],#32; ret; table: .word 1b-table,
		 * start+0x1000-table */
		"fd 7b be a9 fd 03 00 91 1f 04 00 71 08 01 00 54 21 00 00 90 21 00 00 91 e0 03 "
		"00 2a 22 78 a0 b8 21 00 02 8b 20 00 1f d6 20 00 80 52 fd 7b c2 a8 c0 03 5f d6",
		"+0 step: the stack pointer is moved before a cheap instruction | ? it has an "
		"indirect jump whose targets can't be told | calls",
		.table = "28 c0 ff ff 00 d0 ff ff"},
};

static void jump_tables(void)
{
	CHECK_FUNCTIONS(ELF_MACHINE_ARM64, tables);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(jump_tables),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
