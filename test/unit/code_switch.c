// SPDX-License-Identifier: Apache-2.0
/* Which code switches stacks, wherever in a file it lies. */
#include <string.h>

#include "code/switch.h"

#include "code_function.h"

enum { AROUND = 1000 };

struct sample {
	const char *name, *code;
	bool switches;
};

static const struct sample x86[] = {
	{"libco",
		/* mov %rsp,(%rsi); mov (%rdi),%rsp; pop %rax; mov %rbp,8(%rsi); mov %rbx,16(%rsi);
		 * mov 8(%rdi),%rbp; mov 16(%rdi),%rbx; jmp *%rax */
		"48 89 26 48 8b 27 58 48 89 6e 08 48 89 5e 10 48 8b 6f 08 48 8b 5f 10 ff e0", true},
	{"boost.context",
		/* lea -0x40(%rsp),%rsp; stmxcsr (%rsp); fnstcw 4(%rsp); mov %r12,8(%rsp); mov
		 * %rbp,0x38(%rsp); mov %rsp,%rax; mov %rdi,%rsp; mov 0x40(%rsp),%r8; ldmxcsr
		 * (%rsp); mov 8(%rsp),%r12; lea 0x48(%rsp),%rsp; mov %rsi,%rdx; jmp *%r8 */
		"48 8d 64 24 c0 0f ae 1c 24 d9 7c 24 04 4c 89 64 24 08 48 89 6c 24 38 48 89 e0 "
		"48 89 fc 4c 8b 44 24 40 0f ae 14 24 4c 8b 64 24 08 48 8d 64 24 48 48 89 f2 41 ff "
		"e0",
		true},
	{"saved and loaded through arguments, a jump through memory",
		/* mov %rsp,8(%rdi); mov %rbp,16(%rdi); mov 16(%rsi),%rbp; mov 8(%rsi),%rsp; jmp
		 * *(%rsi) */
		"48 89 67 08 48 89 6f 10 48 8b 6e 10 48 8b 66 08 ff 26", true},
	{"registers pushed and popped",
		/* push %rbp; push %rbx; mov %rsp,(%rdi); mov %rsi,%rsp; pop %rbx; pop %rbp; ret */
		"55 53 48 89 27 48 89 f4 5b 5d c3", true},
	{"some of it on a condition",
		/* mov %rsp,%rax; test %ecx,%ecx; je 1f; stmxcsr 8(%rsp); 1: mov %rdx,%rsp; test
		 * %ecx,%ecx; je 2f; ldmxcsr 8(%rsp); 2: pop %r15; pop %rcx; jmp *%rcx */
		"48 89 e0 85 c9 74 05 0f ae 5c 24 08 48 89 d4 85 c9 74 05 0f ae 54 24 08 41 5f 59 "
		"ff "
		"e1",
		true},
	{"saved as it will be behind the return",
		/* lea 8(%rsp),%rcx; mov %rbp,0x10(%rdi); mov %rcx,0x20(%rdi); mov 0x20(%rsi),%rsp;
		 * mov 0x10(%rsi),%rbp; jmp *%rax */
		"48 8d 4c 24 08 48 89 6f 10 48 89 4f 20 48 8b 66 20 48 8b 6e 10 ff e0", true},
	{"longjmp saves nothing",
		/* mov 8(%rdi),%r9; mov 0x38(%rdi),%rdx; mov 0x30(%rdi),%r8; mov (%rdi),%rbx; mov
		 * %esi,%eax; mov %r8,%rsp; mov %r9,%rbp; jmp *%rdx */
		"4c 8b 4f 08 48 8b 57 38 4c 8b 47 30 48 8b 1f 89 f0 4c 89 c4 4c 89 cd ff e2",
		false},
	{"an array of variable size, by gcc",
		/* mov %rsp,%rbx; sub %rax,%rsp; mov %rbx,%rsp; lea -0x28(%rbp),%rsp; pop %rbx; pop
		 * %rbp; ret */
		"48 89 e3 48 29 c4 48 89 dc 48 8d 65 d8 5b 5d c3", false},
	{"the same, kept in a register that was set before",
		/* lea 8(%rsp),%rdi; mov %r12,%rsp; pop %r12; ret */
		"48 8d 7c 24 08 4c 89 e4 41 5c c3", false},
	{"the same by clang, which keeps the old one in the frame",
		/* mov %rsp,%rax; mov %rax,-0x10(%rbp); sub %rcx,%rsp; mov -0x10(%rbp),%rax; mov
		 * %rax,%rsp; lea -8(%rbp),%rsp; pop %rbx; pop %rbp; ret */
		"48 89 e0 48 89 45 f0 48 29 cc 48 8b 45 f0 48 89 c4 48 8d 65 f8 5b 5d c3", false},
	{"alloca",
		/* mov %rsp,%rcx; sub %rax,%rcx; mov %rcx,%rsp; pop %rbp; ret */
		"48 89 e1 48 29 c1 48 89 cc 5d c3", false},
	{"a call in between",
		/* mov %rsp,(%rdi); call elsewhere; mov %rsi,%rsp; ret */
		"48 89 27 e8 4b 00 00 00 48 89 f4 c3", false},
	{"it does not leave",
		/* mov %rsp,(%rdi); mov %rsi,%rsp; jmp elsewhere */
		"48 89 27 48 89 f4 eb 1e", false},
	{"the load is a number's bytes",
		/* mov %rsp,(%rdi); mov $0xf48948,%eax; pop %rbx; ret */
		"48 89 27 b8 48 89 f4 00 5b c3", false},
};

static const struct sample arm64[] = {
	{"boost.context",
		/* sub sp,sp,#0xb0; stp x19,x20,[sp,#0x40]; stp x29,x30,[sp,#0x90]; mov x4,sp; mov
		 * sp,x0; ldp x19,x20,[sp,#0x40]; ldp x29,x30,[sp,#0x90]; add sp,sp,#0xb0; ret */
		"ff c3 02 d1 f3 53 04 a9 fd 7b 09 a9 e4 03 00 91 1f 00 00 91 f3 53 44 a9 fd 7b 49 "
		"a9 "
		"ff c3 02 91 c0 03 5f d6",
		true},
	{"libco",
		/* mov x16,sp; stp x16,x30,[x1]; ldp x16,x30,[x0]; mov sp,x16; br x30 */
		"f0 03 00 91 30 78 00 a9 10 78 40 a9 1f 02 00 91 c0 03 1f d6", true},
	{"longjmp saves nothing",
		/* ldp x19,x20,[x0]; ldr x5,[x0,#0x68]; mov sp,x5; mov x0,x1; br x30 */
		"13 50 40 a9 05 34 40 f9 bf 00 00 91 e0 03 01 aa c0 03 1f d6", false},
	{"an array of variable size",
		/* mov x19,sp; sub sp,sp,x0; mov sp,x19; ldp x29,x30,[sp],#32; ret */
		"f3 03 00 91 ff 63 20 cb 7f 02 00 91 fd 7b c2 a8 c0 03 5f d6", false},
	{"alloca",
		/* mov x9,sp; sub x8,x9,x8; mov sp,x8; ldp x29,x30,[x29]; ret */
		"e9 03 00 91 28 01 08 cb 1f 01 00 91 bd 7b 40 a9 c0 03 5f d6", false},
};

/* Alone, and with other code around it: nothing but returns, then nothing that is an instruction.
 */
static void check_sample(enum elf_machine machine, const struct sample *s)
{
	static const uint8_t around[][4] = {{0xc0, 0x03, 0x5f, 0xd6}, {0xc3, 0xc3, 0xc3, 0xc3}, {}};
	uint8_t code[256], all[2 * AROUND + sizeof(code)];
	size_t n = read_bytes(s->code, code);
	int before = check_failures;

	CHECK_INT(code_switches_stacks(machine, code, n), s->switches);
	for (size_t i = 0; i < ARRAY_SIZE(around); i++) {
		for (size_t at = 0; at < sizeof(all); at++)
			all[at] = around[i][at % 4];
		CHECK(!code_switches_stacks(machine, all, sizeof(all)));
		memcpy(all + AROUND, code, n);
		CHECK_INT(code_switches_stacks(machine, all, AROUND + n + AROUND), s->switches);
	}
	if (check_failures != before)
		printf("  at %s\n", s->name);
}

static void switches_are_told_from_what_compilers_make(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(x86); i++)
		check_sample(ELF_MACHINE_X86_64, &x86[i]);
	for (size_t i = 0; i < ARRAY_SIZE(arm64); i++)
		check_sample(ELF_MACHINE_ARM64, &arm64[i]);
}

/* Saves without an end before loads without an end: what comes of it is a verdict, in time. */
static void hostile_code_costs_little(void)
{
	static uint8_t code[1 << 20];

	for (size_t at = 0; at + 6 <= sizeof(code); at += 6)
		memcpy(code + at,
			at / 600 % 2 ? "\x48\x89\xf4\x48\x89\xf4" : "\x48\x89\xe0\x48\x89\xe0", 6);
	CHECK(code_switches_stacks(ELF_MACHINE_X86_64, code, sizeof(code)));
	CHECK(!code_switches_stacks(ELF_MACHINE_X86_64, code, 3));
	CHECK(!code_switches_stacks(ELF_MACHINE_X86_64, code, 0));
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(switches_are_told_from_what_compilers_make),
		CHECK_TEST(hostile_code_costs_little),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
