// SPDX-License-Identifier: Apache-2.0
/* Indirect jumps of x86-64 functions: tables, and tail calls through pointers. */
#include "code_function.h"

static const struct function_case indirect[] = {
	{"through a register",
		/* push %rbx; pop %rbx; x: jmp *%rax */
		"53 5b ff e0", "+0 push | +2 indirect | calls"},
	{"through memory",
		/* push %rbx; pop %rbx; x: jmp *16(%rax) */
		"53 5b ff 60 10", "+0 push | +2 indirect | calls"},
	{"through the table of imports",
		/* push %rbx; pop %rbx; x: jmp *0x1000(%rip) */
		"53 5b ff 25 00 10 00 00", "+0 push | +2 indirect | calls"},
	{"one of a row",
		/* push %rbx; pop %rbx; x: jmp *(%rsi,%rdi,8) */
		"53 5b ff 24 fe",
		"+0 push | ? it has an indirect jump whose targets can't be told | calls"},
	{"with the frame in place",
		/* push %rbx; jmp *%rax */
		"53 ff e0",
		"+0 push | ? it has an indirect jump whose targets can't be told | calls"},
	{"with code left over",
		/* push %rbx; pop %rbx; jmp *%rax; inc %eax; jmp start+1 */
		"53 5b ff e0 ff c0 eb f9",
		"+0 push | ? it has an indirect jump whose targets can't be told | calls"},
};

static const struct function_case tables[] = {
	{"distances, with a comparison",
		/* cmp $2,%edi; s: ja 4f; mov %edi,%edi; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; notrack jmp *%rax; 1: x: ret; 2: mov
		 * $1,%eax; y: ret; 3: xor %eax,%eax; 4: z: ret; table: .long 1b-table,
		 * 2b-table, 3b-table */
		"83 ff 02 77 1c 89 ff 48 8d 15 f2 3f 00 00 48 63 04 ba 48 01 d0 3e ff e0 c3 b8 "
		"01 00 00 00 c3 31 c0 c3",
		"+3 nop | +24 return, +30 return, +33 return",
		.table = "18 c0 ff ff 19 c0 ff ff 1f c0 ff ff"},
	{"distances, with a comparison that branches to the table",
		/* cmp $1,%edi; s: jbe 5f; w: ret; 5: mov %edi,%edi; lea table(%rip),%rdx;
		 * movslq (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: x: ret; 2: mov
		 * $1,%eax; y: ret; table: .long 1b-table, 2b-table, start-table */
		"83 ff 01 76 01 c3 89 ff 48 8d 15 f1 3f 00 00 48 63 04 ba 48 01 d0 ff e0 c3 b8 "
		"01 00 00 00 c3",
		"+3 nop | +5 return, +24 return, +30 return",
		.table = "18 c0 ff ff 19 c0 ff ff 00 c0 ff ff"},
	{"distances, with a comparison that is strict",
		/* cmp $2,%edi; s: jae 5f; mov %edi,%edi; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: x: ret; 2: mov $1,%eax; y:
		 * ret; 5: w: ret; table: .long 1b-table, 2b-table, start-table */
		"83 ff 02 73 19 89 ff 48 8d 15 f2 3f 00 00 48 63 04 ba 48 01 d0 ff e0 c3 b8 01 "
		"00 00 00 c3 c3",
		"+3 nop | +23 return, +29 return, +30 return",
		.table = "17 c0 ff ff 18 c0 ff ff 00 c0 ff ff"},
	{"distances, with a comparison of a byte",
		/* cmp $1,%dil; s: ja 5f; movzbl %dil,%edi; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: x: ret; 2: mov $1,%eax; y:
		 * ret; 5: w: ret; table: .long 1b-table, 2b-table, start-table */
		"40 80 ff 01 77 1b 40 0f b6 ff 48 8d 15 ef 3f 00 00 48 63 04 ba 48 01 d0 ff e0 "
		"c3 b8 01 00 00 00 c3 c3",
		"+4 nop | +26 return, +32 return, +33 return",
		.table = "1a c0 ff ff 1b c0 ff ff 00 c0 ff ff"},
	{"the table's address comes from far",
		/* push %rbx; lea table(%rip),%rbx; call known; cmp $1,%eax; ja 3f; movslq
		 * (%rbx,%rax,4),%rax; add %rbx,%rax; jmp *%rax; 1: mov $1,%eax; 2: pop %rbx;
		 * x: ret; 3: pop %rbx; y: ret; table: .long 1b-table, 2b-table */
		"53 48 8d 1d f8 3f 00 00 e8 f3 0f 00 00 83 f8 01 77 10 48 63 04 83 48 01 d8 ff "
		"e0 b8 01 00 00 00 5b c3 5b c3",
		"+0 push | +33 return, +35 return | calls", .table = "1b c0 ff ff 20 c0 ff ff"},
	{"an entry behind the end",
		/* push %rbx; cmp $1,%edi; ja 2f; mov %edi,%edi; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: inc %eax; 2: pop %rbx; x:
		 * ret; table: .long 1b-table, end_of_text-table */
		"53 83 ff 01 77 14 89 ff 48 8d 15 f1 3f 00 00 48 63 04 ba 48 01 d0 ff e0 ff c0 "
		"5b c3",
		"+0 push | +27 return", .table = "18 c0 ff ff 1c c0 ff ff"},
	{"an entry that leads elsewhere",
		/* push %rbx; cmp $1,%edi; ja 2f; mov %edi,%edi; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: inc %eax; 2: pop %rbx; ret;
		 * table: .long 1b-table, known-table */
		"53 83 ff 01 77 14 89 ff 48 8d 15 f1 3f 00 00 48 63 04 ba 48 01 d0 ff e0 ff c0 "
		"5b c3",
		"+0 push | ? it has an indirect jump whose targets can't be told | calls",
		.table = "18 c0 ff ff 00 d0 ff ff"},
	{"an entry into a part",
		/* push %rbx; cmp $1,%edi; ja 2f; mov %edi,%edi; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: inc %eax; 2: pop %rbx; x:
		 * ret; cold: pop %rbx; y: ret; table: .long 1b-table, cold-table */
		"53 83 ff 01 77 14 89 ff 48 8d 15 f1 3f 00 00 48 63 04 ba 48 01 d0 ff e0 ff c0 "
		"5b c3",
		"+0 push | +27 return, cold+1 return", .cold = "5b c3",
		.table = "18 c0 ff ff 00 f0 ff ff"},
	{"a table without a comparison",
		/* push %rbx; and $3,%edi; lea table(%rip),%rdx; movslq (%rdx,%rdi,4),%rax; add
		 * %rdx,%rax; jmp *%rax; 1: inc %eax; 2: pop %rbx; x: ret; table: .long
		 * 1b-table, 2b-table, known-table, 2b-table */
		"53 83 e7 03 48 8d 15 f5 3f 00 00 48 63 04 ba 48 01 d0 ff e0 ff c0 5b c3",
		"+0 push | +23 return", .table = "14 c0 ff ff 16 c0 ff ff 00 d0 ff ff 16 c0 ff ff"},
	{"a table whose index isn't known at all",
		/* push %rbx; mov (%rsi),%rdi; lea table(%rip),%rdx; movslq (%rdx,%rdi,4),%rax;
		 * add %rdx,%rax; jmp *%rax; 1: inc %eax; 2: pop %rbx; x: ret; table: .long
		 * 1b-table, 2b-table */
		"53 48 8b 3e 48 8d 15 f5 3f 00 00 48 63 04 ba 48 01 d0 ff e0 ff c0 5b c3",
		"+0 push | +23 return", .table = "14 c0 ff ff 16 c0 ff ff"},
	{"a table that can't be read",
		/* push %rbx; cmp $1,%edi; ja 2f; mov %edi,%edi; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: inc %eax; 2: pop %rbx; ret;
		 * table: .long 1b-table, 2b-table */
		"53 83 ff 01 77 14 89 ff 48 8d 15 f1 3f 00 00 48 63 04 ba 48 01 d0 ff e0 ff c0 "
		"5b c3",
		"+0 push | ? it has an indirect jump whose targets can't be told | calls",
		.table = "18 c0 ff ff 1a c0 ff ff", .options = BLIND},
	{"a table that isn't there",
		/* push %rbx; cmp $9,%edi; ja 2f; mov %edi,%edi; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 1: inc %eax; 2: pop %rbx; ret;
		 * table: .long 1b-table, 2b-table */
		"53 83 ff 09 77 14 89 ff 48 8d 15 f1 3f 00 00 48 63 04 ba 48 01 d0 ff e0 ff c0 "
		"5b c3",
		"+0 push | ? it has an indirect jump whose targets can't be told | calls",
		.table = "18 c0 ff ff 1a c0 ff ff"},
	{"addresses",
		/* cmp $1,%edi; s: ja 3f; mov %edi,%edi; jmp *table(,%rdi,8); 1: x: ret; 2: mov
		 * $1,%eax; 3: y: ret; table: .quad 1b, 2b */
		"83 ff 01 77 0f 89 ff ff 24 fd 00 50 40 00 c3 b8 01 00 00 00 c3",
		"+3 nop | +14 return, +20 return",
		.table = "0e 10 40 00 00 00 00 00 0f 10 40 00 00 00 00 00"},
	{"addresses, loaded first",
		/* cmp $1,%edi; s: ja 3f; mov %edi,%edi; mov table(,%rdi,8),%rax; jmp *%rax; 1:
		 * x: ret; 2: mov $1,%eax; 3: y: ret; table: .quad 1b, 2b */
		"83 ff 01 77 12 89 ff 48 8b 04 fd 00 50 40 00 ff e0 c3 b8 01 00 00 00 c3",
		"+3 nop | +17 return, +23 return",
		.table = "11 10 40 00 00 00 00 00 12 10 40 00 00 00 00 00"},
	{"one entry of a table",
		/* push %rbx; movslq table+4(%rip),%rax; lea table(%rip),%rdx; add %rdx,%rax;
		 * jmp *%rax; 2: pop %rbx; x: ret; table: .long 0, 2b-table */
		"53 48 63 05 fc 3f 00 00 48 8d 15 f1 3f 00 00 48 01 d0 ff e0 5b c3",
		"+0 push | +21 return", .table = "00 00 00 00 14 c0 ff ff"},
	{"a target in the middle of what was followed",
		/* push %rbx; cmp $1,%edi; ja 3f; mov %edi,%edi; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 3: inc %eax; 1: inc %eax; 2:
		 * pop %rbx; x: jmp known; table: .long 1b-table, 2b-table */
		"53 83 ff 01 77 12 89 ff 48 8d 15 f1 3f 00 00 48 63 04 ba 48 01 d0 ff e0 ff c0 "
		"ff c0 5b e9 de 0f 00 00",
		"+0 push | +29 jump | calls", .table = "1a c0 ff ff 1c c0 ff ff"},
	{"a table that runs into the next one",
		/* push %rbx; mov (%rsi),%edi; lea table(%rip),%rdx; movslq (%rdx,%rdi,4),%rax;
		 * add %rdx,%rax; jmp *%rax; 1: pop %rbx; x: ret; 2: lea table+8(%rip),%rdx; 3:
		 * .byte 0x0f,0x1f,0x84,0,0,0,0,0; 5: mov (%rsi),%edi; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 4: pop %rbx; y: ret; table:
		 * .long 1b-table, 2b-table, 5b-table-8, 4b-table-8 */
		"53 8b 3e 48 8d 15 f6 3f 00 00 48 63 04 ba 48 01 d0 ff e0 5b c3 48 8d 15 ec 3f "
		"00 00 0f 1f 84 00 00 00 00 00 8b 3e 48 63 04 ba 48 01 d0 ff e0 5b c3",
		"+0 push | +20 return, +48 return",
		.table = "13 c0 ff ff 15 c0 ff ff 1c c0 ff ff 27 c0 ff ff"},
	{"a comparison of another register",
		/* push %rbx; cmp $1,%esi; ja 3f; mov %edi,%edi; lea table(%rip),%rdx; movslq
		 * (%rdx,%rdi,4),%rax; add %rdx,%rax; jmp *%rax; 3: inc %eax; 1: inc %eax; 2:
		 * pop %rbx; x: ret; table: .long 1b-table, 2b-table, 3b-table */
		"53 83 fe 01 77 12 89 ff 48 8d 15 f1 3f 00 00 48 63 04 ba 48 01 d0 ff e0 ff c0 "
		"ff c0 5b c3",
		"+0 push | +29 return", .table = "1a c0 ff ff 1c c0 ff ff 18 c0 ff ff"},
};

static void tail_calls_through_pointers(void)
{
	CHECK_FUNCTIONS(ELF_MACHINE_X86_64, indirect);
}

static void jump_tables(void)
{
	CHECK_FUNCTIONS(ELF_MACHINE_X86_64, tables);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(tail_calls_through_pointers),
		CHECK_TEST(jump_tables),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
