// SPDX-License-Identifier: Apache-2.0
/*
 * How many entries a jump table has. All tables here have three, and nothing else leads to the
 * code of the third: where a comparison lets two through, that is code that nothing leads to.
 */
#include "code_function.h"

static const struct function_case compared[] = {
	{"a comparison",
		/* push %rbx; cmp $1,%edi; ja 5f; mov %edi,%edi; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2: pop
		 * %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret; table: .long
		 * 1b-table, 2b-table, 3b-table */
		"53 83 ff 01 77 18 89 ff 48 8d 15 f1 3f 00 00 48 63 04 ba 48 01 d0 ff e0 5b c3 "
		"5b c3 5b c3 5b c3",
		"+0 push | ? it contains code with an exit that nothing seems to lead to",
		.table = "18 c0 ff ff 1a c0 ff ff 1c c0 ff ff"},
	{"of all of a register",
		/* push %rbx; cmp $1,%rdi; ja 5f; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2: pop
		 * %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret; table: .long
		 * 1b-table, 2b-table, 3b-table */
		"53 48 83 ff 01 77 16 48 8d 15 f2 3f 00 00 48 63 04 ba 48 01 d0 ff e0 5b c3 5b "
		"c3 5b c3 5b c3",
		"+0 push | ? it contains code with an exit that nothing seems to lead to",
		.table = "17 c0 ff ff 19 c0 ff ff 1b c0 ff ff"},
	{"with moves behind it",
		/* push %rbx; cmp $1,%edi; mov %esi,%ecx; lea 4(%rsi),%r8; movzbl (%rsi),%r9d;
		 * ja 5f; mov %edi,%edi; lea table(%rip),%rdx; movslq (%rdx,%rdi,4),%rax; add
		 * %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2: pop %rbx; y: ret; 3: pop %rbx;
		 * z: ret; 5: pop %rbx; w: ret; table: .long 1b-table, 2b-table, 3b-table */
		"53 83 ff 01 89 f1 4c 8d 46 04 44 0f b6 0e 77 18 89 ff 48 8d 15 e7 3f 00 00 48 "
		"63 04 ba 48 01 d0 ff e0 5b c3 5b c3 5b c3 5b c3",
		"+0 push | ? it contains code with an exit that nothing seems to lead to",
		.table = "22 c0 ff ff 24 c0 ff ff 26 c0 ff ff"},
	{"of a word",
		/* push %rbx; cmp $1,%di; ja 5f; movzwl %di,%edi; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2: pop
		 * %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret; table: .long
		 * 1b-table, 2b-table, 3b-table */
		"53 66 83 ff 01 77 19 0f b7 ff 48 8d 15 ef 3f 00 00 48 63 04 ba 48 01 d0 ff e0 "
		"5b c3 5b c3 5b c3 5b c3",
		"+0 push | ? it contains code with an exit that nothing seems to lead to",
		.table = "1a c0 ff ff 1c c0 ff ff 1e c0 ff ff"},
	{"of what is extended already",
		/* push %rbx; movzbl (%rsi),%edi; cmp $1,%edi; ja 5f; lea table(%rip),%rdx;
		 * movslq (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2:
		 * pop %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret; table: .long
		 * 1b-table, 2b-table, 3b-table */
		"53 0f b6 3e 83 ff 01 77 16 48 8d 15 f0 3f 00 00 48 63 04 ba 48 01 d0 ff e0 5b "
		"c3 5b c3 5b c3 5b c3",
		"+0 push | ? it contains code with an exit that nothing seems to lead to",
		.table = "19 c0 ff ff 1b c0 ff ff 1d c0 ff ff"},
	{"of a byte of what is extended already",
		/* push %rbx; movzbl (%rsi),%edi; cmp $1,%dil; ja 5f; lea table(%rip),%rdx;
		 * movslq (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2:
		 * pop %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret; table: .long
		 * 1b-table, 2b-table, 3b-table */
		"53 0f b6 3e 40 80 ff 01 77 16 48 8d 15 ef 3f 00 00 48 63 04 ba 48 01 d0 ff e0 "
		"5b c3 5b c3 5b c3 5b c3",
		"+0 push | ? it contains code with an exit that nothing seems to lead to",
		.table = "1a c0 ff ff 1c c0 ff ff 1e c0 ff ff"},
	{"of a difference",
		/* push %rbx; sub $7,%edi; cmp $1,%edi; ja 5f; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2: pop
		 * %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret; table: .long
		 * 1b-table, 2b-table, 3b-table */
		"53 83 ef 07 83 ff 01 77 16 48 8d 15 f0 3f 00 00 48 63 04 ba 48 01 d0 ff e0 5b "
		"c3 5b c3 5b c3 5b c3",
		"+0 push | ? it contains code with an exit that nothing seems to lead to",
		.table = "19 c0 ff ff 1b c0 ff ff 1d c0 ff ff"},
	{"of a difference made by lea",
		/* push %rbx; lea -7(%rsi),%edi; cmp $1,%edi; ja 5f; lea table(%rip),%rdx;
		 * movslq (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2:
		 * pop %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret; table: .long
		 * 1b-table, 2b-table, 3b-table */
		"53 8d 7e f9 83 ff 01 77 16 48 8d 15 f0 3f 00 00 48 63 04 ba 48 01 d0 ff e0 5b "
		"c3 5b c3 5b c3 5b c3",
		"+0 push | ? it contains code with an exit that nothing seems to lead to",
		.table = "19 c0 ff ff 1b c0 ff ff 1d c0 ff ff"},
	{"and an extension of the sign",
		/* push %rbx; cmp $1,%edi; ja 5f; movslq %edi,%rdi; lea table(%rip),%rdx;
		 * movslq (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2:
		 * pop %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret; table: .long
		 * 1b-table, 2b-table, 3b-table */
		"53 83 ff 01 77 19 48 63 ff 48 8d 15 f0 3f 00 00 48 63 04 ba 48 01 d0 ff e0 5b "
		"c3 5b c3 5b c3 5b c3",
		"+0 push | ? it contains code with an exit that nothing seems to lead to",
		.table = "19 c0 ff ff 1b c0 ff ff 1d c0 ff ff"},
	{"and an extension of rax",
		/* push %rbx; cmp $1,%eax; ja 5f; cltq; mov %rax,%rdi; lea table(%rip),%rdx;
		 * movslq (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2:
		 * pop %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret; table: .long
		 * 1b-table, 2b-table, 3b-table */
		"53 83 f8 01 77 1b 48 98 48 89 c7 48 8d 15 ee 3f 00 00 48 63 04 ba 48 01 d0 ff "
		"e0 5b c3 5b c3 5b c3 5b c3",
		"+0 push | ? it contains code with an exit that nothing seems to lead to",
		.table = "1b c0 ff ff 1d c0 ff ff 1f c0 ff ff"},
	{"and a copy",
		/* push %rbx; cmp $1,%esi; ja 5f; mov %esi,%edi; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2: pop
		 * %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret; table: .long
		 * 1b-table, 2b-table, 3b-table */
		"53 83 fe 01 77 18 89 f7 48 8d 15 f1 3f 00 00 48 63 04 ba 48 01 d0 ff e0 5b c3 "
		"5b c3 5b c3 5b c3",
		"+0 push | ? it contains code with an exit that nothing seems to lead to",
		.table = "18 c0 ff ff 1a c0 ff ff 1c c0 ff ff"},
	{"of a spilled register",
		/* push %rbx; mov (%rsp),%rdi; cmp $1,%rdi; ja 5f; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2: pop
		 * %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret; table: .long
		 * 1b-table, 2b-table, 3b-table */
		"53 48 8b 3c 24 48 83 ff 01 77 16 48 8d 15 ee 3f 00 00 48 63 04 ba 48 01 d0 ff "
		"e0 5b c3 5b c3 5b c3 5b c3",
		"+0 push | ? it contains code with an exit that nothing seems to lead to",
		.table = "1b c0 ff ff 1d c0 ff ff 1f c0 ff ff"},
	{"and the sum the other way round",
		/* push %rbx; cmp $1,%edi; ja 5f; mov %edi,%edi; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %rax,%rdx; jmp *%rdx; 1: pop %rbx; x: ret; 2: pop
		 * %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret; table: .long
		 * 1b-table, 2b-table, 3b-table */
		"53 83 ff 01 77 18 89 ff 48 8d 15 f1 3f 00 00 48 63 04 ba 48 01 c2 ff e2 5b c3 "
		"5b c3 5b c3 5b c3",
		"+0 push | ? it contains code with an exit that nothing seems to lead to",
		.table = "18 c0 ff ff 1a c0 ff ff 1c c0 ff ff"},
	{"and a table by its number",
		/* push %rbx; cmp $1,%edi; ja 5f; mov %edi,%edi; mov $table,%edx; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2: pop
		 * %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret; table: .long
		 * 1b-table, 2b-table, 3b-table */
		"53 83 ff 01 77 16 89 ff ba 00 50 40 00 48 63 04 ba 48 01 d0 ff e0 5b c3 5b c3 "
		"5b c3 5b c3",
		"+0 push | ? it contains code with an exit that nothing seems to lead to",
		.table = "16 c0 ff ff 18 c0 ff ff 1a c0 ff ff"},
	{"and a table by its sign-extended number",
		/* push %rbx; cmp $1,%edi; ja 5f; mov %edi,%edi; mov $table,%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2: pop
		 * %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret; table: .long
		 * 1b-table, 2b-table, 3b-table */
		"53 83 ff 01 77 18 89 ff 48 c7 c2 00 50 40 00 48 63 04 ba 48 01 d0 ff e0 5b c3 "
		"5b c3 5b c3 5b c3",
		"+0 push | ? it contains code with an exit that nothing seems to lead to",
		.table = "18 c0 ff ff 1a c0 ff ff 1c c0 ff ff"},
	{"and a far branch",
		/* push %rbx; cmp $1,%edi; .byte 0x0f,0x87; .long 5f-.-4; mov %edi,%edi; lea
		 * table(%rip),%rdx; movslq (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1:
		 * pop %rbx; x: ret; 2: pop %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w:
		 * ret; table: .long 1b-table, 2b-table, 3b-table */
		"53 83 ff 01 0f 87 18 00 00 00 89 ff 48 8d 15 ed 3f 00 00 48 63 04 ba 48 01 d0 "
		"ff e0 5b c3 5b c3 5b c3 5b c3",
		"+0 push | ? it contains code with an exit that nothing seems to lead to",
		.table = "1c c0 ff ff 1e c0 ff ff 20 c0 ff ff"},
	{"and a table's number that is copied",
		/* push %rbx; cmp $1,%edi; ja 5f; mov %edi,%edi; mov $table,%esi; mov
		 * %esi,%edx; movslq (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: pop %rbx;
		 * x: ret; 2: pop %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret;
		 * table: .long 1b-table, 2b-table, 3b-table */
		"53 83 ff 01 77 18 89 ff be 00 50 40 00 89 f2 48 63 04 ba 48 01 d0 ff e0 5b c3 "
		"5b c3 5b c3 5b c3",
		"+0 push | ? it contains code with an exit that nothing seems to lead to",
		.table = "18 c0 ff ff 1a c0 ff ff 1c c0 ff ff"},
	{"no comparison but a mask",
		/* push %rbx; and $1,%edi; lea table(%rip),%rdx; movslq (%rdx,%rdi,4),%rax; add
		 * %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2: pop %rbx; y: ret; 3: pop %rbx;
		 * z: ret; table: .long 1b-table, 2b-table, 3b-table */
		"53 83 e7 01 48 8d 15 f5 3f 00 00 48 63 04 ba 48 01 d0 ff e0 5b c3 5b c3 5b c3",
		"+0 push | ? it contains code with an exit that nothing seems to lead to",
		.table = "14 c0 ff ff 16 c0 ff ff 18 c0 ff ff"},
};

static const struct function_case not_compared[] = {
	{"of the lower half alone",
		/* push %rbx; mov (%rsp),%rdi; cmp $1,%edi; ja 5f; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2: pop
		 * %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret; table: .long
		 * 1b-table, 2b-table, 3b-table */
		"53 48 8b 3c 24 83 ff 01 77 16 48 8d 15 ef 3f 00 00 48 63 04 ba 48 01 d0 ff e0 "
		"5b c3 5b c3 5b c3 5b c3",
		"+0 push | +27 return, +29 return, +31 return, +33 return",
		.table = "1a c0 ff ff 1c c0 ff ff 1e c0 ff ff"},
	{"of another byte",
		/* push %rbx; cmp $1,%dil; ja 5f; movzbl %bh,%edi; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2: pop
		 * %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret; table: .long
		 * 1b-table, 2b-table, 3b-table */
		"53 40 80 ff 01 77 19 0f b6 ff 48 8d 15 ef 3f 00 00 48 63 04 ba 48 01 d0 ff e0 "
		"5b c3 5b c3 5b c3 5b c3",
		"+0 push | +27 return, +29 return, +31 return, +33 return",
		.table = "1a c0 ff ff 1c c0 ff ff 1e c0 ff ff"},
	{"of the lower byte alone",
		/* push %rbx; cmp $1,%dil; ja 5f; mov %edi,%edi; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2: pop
		 * %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret; table: .long
		 * 1b-table, 2b-table, 3b-table */
		"53 40 80 ff 01 77 18 89 ff 48 8d 15 f0 3f 00 00 48 63 04 ba 48 01 d0 ff e0 5b "
		"c3 5b c3 5b c3 5b c3",
		"+0 push | +26 return, +28 return, +30 return, +32 return",
		.table = "19 c0 ff ff 1b c0 ff ff 1d c0 ff ff"},
	{"with the flags overwritten",
		/* push %rbx; cmp $1,%edi; test %esi,%esi; ja 5f; mov %edi,%edi; lea
		 * table(%rip),%rdx; movslq (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1:
		 * pop %rbx; x: ret; 2: pop %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w:
		 * ret; table: .long 1b-table, 2b-table, 3b-table */
		"53 83 ff 01 85 f6 77 18 89 ff 48 8d 15 ef 3f 00 00 48 63 04 ba 48 01 d0 ff e0 "
		"5b c3 5b c3 5b c3 5b c3",
		"+0 push | +27 return, +29 return, +31 return, +33 return",
		.table = "1a c0 ff ff 1c c0 ff ff 1e c0 ff ff"},
	{"with the register overwritten",
		/* push %rbx; cmp $1,%edi; mov (%rsi),%edi; ja 5f; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2: pop
		 * %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret; table: .long
		 * 1b-table, 2b-table, 3b-table */
		"53 83 ff 01 8b 3e 77 16 48 8d 15 f1 3f 00 00 48 63 04 ba 48 01 d0 ff e0 5b c3 "
		"5b c3 5b c3 5b c3",
		"+0 push | +25 return, +27 return, +29 return, +31 return",
		.table = "18 c0 ff ff 1a c0 ff ff 1c c0 ff ff"},
	{"with the register overwritten later",
		/* push %rbx; cmp $1,%edi; ja 5f; mov (%rsi),%edi; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2: pop
		 * %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret; table: .long
		 * 1b-table, 2b-table, 3b-table */
		"53 83 ff 01 77 18 8b 3e 48 8d 15 f1 3f 00 00 48 63 04 ba 48 01 d0 ff e0 5b c3 "
		"5b c3 5b c3 5b c3",
		"+0 push | +25 return, +27 return, +29 return, +31 return",
		.table = "18 c0 ff ff 1a c0 ff ff 1c c0 ff ff"},
	{"with half of the register overwritten",
		/* push %rbx; cmp $1,%edi; ja 5f; mov %si,%di; mov %edi,%edi; lea
		 * table(%rip),%rdx; movslq (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1:
		 * pop %rbx; x: ret; 2: pop %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w:
		 * ret; table: .long 1b-table, 2b-table, 3b-table */
		"53 83 ff 01 77 1b 66 89 f7 89 ff 48 8d 15 ee 3f 00 00 48 63 04 ba 48 01 d0 ff "
		"e0 5b c3 5b c3 5b c3 5b c3",
		"+0 push | +28 return, +30 return, +32 return, +34 return",
		.table = "1b c0 ff ff 1d c0 ff ff 1f c0 ff ff"},
	{"with a call behind it",
		/* push %rbx; cmp $1,%edi; ja 5f; call known; mov %edi,%edi; lea
		 * table(%rip),%rdx; movslq (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1:
		 * pop %rbx; x: ret; 2: pop %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w:
		 * ret; table: .long 1b-table, 2b-table, 3b-table */
		"53 83 ff 01 77 1d e8 f5 0f 00 00 89 ff 48 8d 15 ec 3f 00 00 48 63 04 ba 48 01 "
		"d0 ff e0 5b c3 5b c3 5b c3 5b c3",
		"+0 push | +30 return, +32 return, +34 return, +36 return | calls",
		.table = "1d c0 ff ff 1f c0 ff ff 21 c0 ff ff"},
	{"of memory",
		/* push %rbx; cmpl $1,(%rsi); ja 5f; mov (%rsi),%edi; lea table(%rip),%rdx;
		 * movslq (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2:
		 * pop %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret; table: .long
		 * 1b-table, 2b-table, 3b-table */
		"53 83 3e 01 77 18 8b 3e 48 8d 15 f1 3f 00 00 48 63 04 ba 48 01 d0 ff e0 5b c3 "
		"5b c3 5b c3 5b c3",
		"+0 push | +25 return, +27 return, +29 return, +31 return",
		.table = "18 c0 ff ff 1a c0 ff ff 1c c0 ff ff"},
	{"with a negative number",
		/* push %rbx; cmp $-1,%edi; ja 5f; mov %edi,%edi; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2: pop
		 * %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret; table: .long
		 * 1b-table, 2b-table, 3b-table */
		"53 83 ff ff 77 18 89 ff 48 8d 15 f1 3f 00 00 48 63 04 ba 48 01 d0 ff e0 5b c3 "
		"5b c3 5b c3 5b c3",
		"+0 push | +25 return, +27 return, +29 return, +31 return",
		.table = "18 c0 ff ff 1a c0 ff ff 1c c0 ff ff"},
	{"of equality",
		/* push %rbx; cmp $1,%edi; jne 5f; mov %edi,%edi; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2: pop
		 * %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret; table: .long
		 * 1b-table, 2b-table, 3b-table */
		"53 83 ff 01 75 18 89 ff 48 8d 15 f1 3f 00 00 48 63 04 ba 48 01 d0 ff e0 5b c3 "
		"5b c3 5b c3 5b c3",
		"+0 push | +25 return, +27 return, +29 return, +31 return",
		.table = "18 c0 ff ff 1a c0 ff ff 1c c0 ff ff"},
	{"as a signed number",
		/* push %rbx; cmp $1,%edi; jg 5f; mov %edi,%edi; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2: pop
		 * %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret; table: .long
		 * 1b-table, 2b-table, 3b-table */
		"53 83 ff 01 7f 18 89 ff 48 8d 15 f1 3f 00 00 48 63 04 ba 48 01 d0 ff e0 5b c3 "
		"5b c3 5b c3 5b c3",
		"+0 push | +25 return, +27 return, +29 return, +31 return",
		.table = "18 c0 ff ff 1a c0 ff ff 1c c0 ff ff"},
	{"on the other way",
		/* push %rbx; cmp $1,%edi; jbe 5f; mov %edi,%edi; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2: pop
		 * %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret; table: .long
		 * 1b-table, 2b-table, 3b-table */
		"53 83 ff 01 76 18 89 ff 48 8d 15 f1 3f 00 00 48 63 04 ba 48 01 d0 ff e0 5b c3 "
		"5b c3 5b c3 5b c3",
		"+0 push | +25 return, +27 return, +29 return, +31 return",
		.table = "18 c0 ff ff 1a c0 ff ff 1c c0 ff ff"},
	{"on one of two ways",
		/* push %rbx; cmp $1,%edi; jbe 4f; 4: mov %edi,%edi; lea table(%rip),%rdx;
		 * movslq (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2:
		 * pop %rbx; y: ret; 3: pop %rbx; z: ret; table: .long 1b-table, 2b-table,
		 * 3b-table */
		"53 83 ff 01 76 00 89 ff 48 8d 15 f1 3f 00 00 48 63 04 ba 48 01 d0 ff e0 5b c3 "
		"5b c3 5b c3",
		"+0 push | +25 return, +27 return, +29 return",
		.table = "18 c0 ff ff 1a c0 ff ff 1c c0 ff ff"},
	{"a mask of the upper bits",
		/* push %rbx; and $-2,%edi; lea table(%rip),%rdx; movslq (%rdx,%rdi,4),%rax;
		 * add %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2: pop %rbx; y: ret; 3: pop
		 * %rbx; z: ret; table: .long 1b-table, 2b-table, 3b-table */
		"53 83 e7 fe 48 8d 15 f5 3f 00 00 48 63 04 ba 48 01 d0 ff e0 5b c3 5b c3 5b c3",
		"+0 push | +21 return, +23 return, +25 return",
		.table = "14 c0 ff ff 16 c0 ff ff 18 c0 ff ff"},
	{"a difference of table and entry",
		/* push %rbx; cmp $1,%edi; ja 5f; mov %edi,%edi; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; sub %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2: pop
		 * %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret; table: .long
		 * 1b-table, 2b-table, 3b-table */
		"53 83 ff 01 77 18 89 ff 48 8d 15 f1 3f 00 00 48 63 04 ba 48 29 d0 ff e0 5b c3 "
		"5b c3 5b c3 5b c3",
		"+0 push | ? it has an indirect jump whose targets can't be told | calls",
		.table = "18 c0 ff ff 1a c0 ff ff 1c c0 ff ff"},
	{"a sum of 32 bits",
		/* push %rbx; cmp $1,%edi; ja 5f; mov %edi,%edi; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %edx,%eax; jmp *%rax; 1: pop %rbx; x: ret; 2: pop
		 * %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret; table: .long
		 * 1b-table, 2b-table, 3b-table */
		"53 83 ff 01 77 17 89 ff 48 8d 15 f1 3f 00 00 48 63 04 ba 01 d0 ff e0 5b c3 5b "
		"c3 5b c3 5b c3",
		"+0 push | ? it has an indirect jump whose targets can't be told | calls",
		.table = "17 c0 ff ff 19 c0 ff ff 1b c0 ff ff"},
	{"entries of another size",
		/* push %rbx; cmp $1,%edi; ja 5f; mov %edi,%edi; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,8),%rax; add %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2: pop
		 * %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret; table: .long
		 * 1b-table, 2b-table, 3b-table */
		"53 83 ff 01 77 18 89 ff 48 8d 15 f1 3f 00 00 48 63 04 fa 48 01 d0 ff e0 5b c3 "
		"5b c3 5b c3 5b c3",
		"+0 push | ? it has an indirect jump whose targets can't be told | calls",
		.table = "18 c0 ff ff 1a c0 ff ff 1c c0 ff ff"},
	{"a table that moves",
		/* push %rbx; cmp $1,%edi; ja 5f; mov %edi,%edi; lea table(%rip),%rdx; add
		 * %rsi,%rdx; movslq (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: pop %rbx;
		 * x: ret; 2: pop %rbx; y: ret; 3: pop %rbx; z: ret; 5: pop %rbx; w: ret;
		 * table: .long 1b-table, 2b-table, 3b-table */
		"53 83 ff 01 77 1b 89 ff 48 8d 15 f1 3f 00 00 48 01 f2 48 63 04 ba 48 01 d0 ff "
		"e0 5b c3 5b c3 5b c3 5b c3",
		"+0 push | ? it has an indirect jump whose targets can't be told | calls",
		.table = "1b c0 ff ff 1d c0 ff ff 1f c0 ff ff"},
};

static void bounds_by_comparison(void)
{
	CHECK_FUNCTIONS(ELF_MACHINE_X86_64, compared);
}

static void no_bounds(void)
{
	CHECK_FUNCTIONS(ELF_MACHINE_X86_64, not_compared);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(bounds_by_comparison),
		CHECK_TEST(no_bounds),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
