// SPDX-License-Identifier: Apache-2.0
/*
 * Instructions one by one: the registers that they write, behind a semicolon what else they do,
 * behind a bar where control goes. What is named too much is by intent: see the tables of forms.
 */
#include "base/buffer.h"
#include "base/cleanup.h"
#include "code/step.h"

#include <stdlib.h>

#include "check.h"

enum { ADDRESS = 0x401000 };

struct instruction_case {
	const char *text, *bytes, *expected;
};

static const struct instruction_case x86[] = {
	{"mov %edi,%eax", "89 f8", "rax"},
	{"mov %rax,%r9", "49 89 c1", "r9"},
	{"mov %al,%dil", "40 88 c7", "rdi"},
	{"mov %al,%dh", "88 c6", "rdx"},
	{"mov %rax,8(%rdi)", "48 89 47 08", "; stores"},
	{"mov 8(%rdi),%r12", "4c 8b 67 08", "r12"},
	{"cmp %rdi,%rsi", "48 39 fe", ""},
	{"cmp $5,%edi", "83 ff 05", ""},
	{"cmpq $5,(%rdi)", "48 83 3f 05", ""},
	{"test %rdi,%rsi", "48 85 fe", ""},
	{"testb $1,%sil", "40 f6 c6 01", ""},
	{"not %rsi", "48 f7 d6", "rsi"},
	{"neg %r8", "49 f7 d8", "r8"},
	{"notq (%rsi)", "48 f7 16", "; stores"},
	{"mul %rcx", "48 f7 e1", "rax rcx rdx rbx rsi rdi"},
	{"imul %rcx,%rdx", "48 0f af d1", "rdx"},
	{"imul $7,%rcx,%rdx", "48 6b d1 07", "rdx"},
	{"div %rcx", "48 f7 f1", "rax rcx rdx rbx rsi rdi; odd"},
	{"idivq (%rcx)", "48 f7 39", "rax rcx rdx rbx rsi rdi; odd"},
	{"add $5,%rdi", "48 83 c7 05", "rdi"},
	{"add %rdi,(%rsi)", "48 01 3e", "; stores"},
	{"add (%rsi),%rdi", "48 03 3e", "rdi"},
	{"add $5,%al", "04 05", "rax"},
	{"add $0x12345,%eax", "05 45 23 01 00", "rax"},
	{"lock addl $1,(%rdi)", "f0 83 07 01", "; stores odd"},
	{"inc %esi", "ff c6", "rsi"},
	{"decq (%rsi)", "48 ff 0e", "; stores"},
	{"shl $3,%rcx", "48 c1 e1 03", "rcx"},
	{"sar %cl,%rdx", "48 d3 fa", "rdx"},
	{"xchg %rdi,%rsi", "48 87 fe", "rsi rdi"},
	{"xchg %rax,%r9", "49 91", "rax r9"},
	{"nop", "90", "; padding"},
	{"pause", "f3 90", "; padding"},
	{"nopl 8(%rax)", "0f 1f 40 08", "; padding"},
	{"endbr64", "f3 0f 1e fa", ""},
	{".byte 0xf3,0x48,0x0f,0x1e,0xc9", "f3 48 0f 1e c9", "rcx"},
	{"push %rdi", "57", "rsp"},
	{"pop %rdi", "5f", "rsp rdi"},
	{"pushq (%rdi)", "ff 37", "rsp"},
	{"push $5", "6a 05", "rsp"},
	{"pushf", "9c", "rsp; odd"},
	{"popf", "9d", "rsp; odd"},
	{"push %fs", "0f a0", "rsp; odd"},
	{"leave", "c9", "rsp rbp"},
	{"enter $16,$0", "c8 10 00 00", "rsp; odd"},
	{"lea 4(%rdi),%rsi", "48 8d 77 04", "rsi"},
	{"movabs $0x1122334455667788,%r10", "49 ba 88 77 66 55 44 33 22 11", "r10"},
	{"mov $5,%r10d", "41 ba 05 00 00 00", "r10"},
	{"movabs %rax,0x1122334455667788", "48 a3 88 77 66 55 44 33 22 11", "; stores"},
	{"movabs 0x1122334455667788,%rax", "48 a1 88 77 66 55 44 33 22 11", "rax"},
	{"movslq %edi,%rsi", "48 63 f7", "rsi"},
	{"cltq", "48 98", "rax"},
	{"cqo", "48 99", "rax rcx rdx rbx rsi rdi"},
	{"movzbl %dil,%ecx", "40 0f b6 cf", "rcx"},
	{"movsbl (%rdi),%ecx", "0f be 0f", "rcx"},
	{"bswap %r11", "49 0f cb", "r11"},
	{"cmove %rdi,%rsi", "48 0f 44 f7", "rsi"},
	{"sete %dil", "40 0f 94 c7", "rdi"},
	{"sete (%rdi)", "0f 94 07", "; stores"},
	{"bt %rdi,%rsi", "48 0f a3 fe", ""},
	{"bt $3,%rsi", "48 0f ba e6 03", ""},
	{"bts $3,%rsi", "48 0f ba ee 03", "rsi"},
	{"bsf %rdi,%rsi", "48 0f bc f7", "rsi"},
	{"popcnt %rdi,%rsi", "f3 48 0f b8 f7", "rsi"},
	{"shld $3,%rdi,%rsi", "48 0f a4 fe 03", "rsi"},
	{"xadd %rdi,(%rsi)", "48 0f c1 3e", "rdi; stores"},
	{"cmpxchg %rdi,%rsi", "48 0f b1 fe", "rax rsi"},
	{"cmpxchg16b (%rsi)", "48 0f c7 0e", "rax rcx rdx rbx rsi rdi; stores"},
	{"cpuid", "0f a2", "rax rcx rdx rbx rsi rdi; odd"},
	{"rdtsc", "0f 31", "rax rcx rdx rbx rsi rdi; odd"},
	{"stosb", "aa", "rax rcx rdx rbx rsi rdi; stores odd"},
	{"movsq", "48 a5", "rax rcx rdx rbx rsi rdi; stores odd"},
	{"cmpsb", "a6", "rax rcx rdx rbx rsi rdi; odd"},
	{"lodsb", "ac", "rax rcx rdx rbx rsi rdi; odd"},
	{"scasb", "ae", "rax rcx rdx rbx rsi rdi; odd"},
	{"movups %xmm4,%xmm5", "0f 10 ec", ""},
	{"movups %xmm4,(%rdi)", "0f 11 27", "; stores"},
	{"movups (%rdi),%xmm4", "0f 10 27", ""},
	{"movaps %xmm4,(%rdi)", "0f 29 27", "; stores"},
	{"movd %xmm4,%esi", "66 0f 7e e6", "rsi"},
	{"movq %xmm4,%r14", "66 49 0f 7e e6", "r14"},
	{"movq %xmm4,%xmm6", "f3 0f 7e f4", ""},
	{"movq %xmm4,(%rdi)", "66 0f d6 27", "; stores"},
	{"movmskps %xmm4,%esi", "0f 50 f4", "rsi"},
	{"pmovmskb %xmm4,%esi", "66 0f d7 f4", "rsi"},
	{"cvttsd2si %xmm4,%rsi", "f2 48 0f 2c f4", "rsi"},
	{"pextrw $1,%xmm4,%esi", "66 0f c5 f4 01", "rsi"},
	{"movnti %rdi,(%rsi)", "48 0f c3 3e", "; stores"},
	{"crc32 %rdi,%rsi", "f2 48 0f 38 f1 f7", "rsi rdi"},
	{"vmovups %ymm4,(%rdi)", "c5 fc 11 27", "; stores"},
	{"vmovups (%rdi),%ymm4", "c5 fc 10 27", ""},
	{"vaddps %ymm4,%ymm5,%ymm6", "c5 d4 58 f4", ""},
	{"vmovd %xmm4,%r9d", "c4 c1 79 7e e1", "r9"},
	{"vmovmskps %ymm4,%r9d", "c5 7c 50 cc", "r9"},
	{"vpmovmskb %ymm4,%esi", "c5 fd d7 f4", "rsi"},
	{"vcvttsd2si %xmm4,%rsi", "c4 e1 fb 2c f4", "rsi"},
	{"vzeroupper", "c5 f8 77", ""},
	{"vpextrw $1,%xmm4,%esi", "c5 f9 c5 f4 01", "rsi"},
	{"andn %rdi,%r9,%r10", "c4 62 b0 f2 d7", "r9 r10"},
	{"mulx %rdi,%r9,%r10", "c4 62 b3 f6 d7", "r9 r10"},
	{"shlx %rdi,%rsi,%r10", "c4 62 c1 f7 d6", "rdi r10"},
	{"rorx $3,%rdi,%r10", "c4 63 fb f0 d7 03", "rax rcx rdx rbx rsi rdi r10"},
	{"vmaskmovps %ymm4,%ymm5,(%rdi)", "c4 e2 55 2e 27", "; stores"},
	{"fstpl (%rdi)", "dd 1f", "; stores"},
	{"fldl (%rdi)", "dd 07", "; stores"},
	{"fnstsw %ax", "df e0", "rax"},
	{"ldmxcsr (%rdi)", "0f ae 17", "; stores odd"},
	{"lfence", "0f ae e8", "rax; odd"},
	{"call *%rax", "ff d0", "; calls | call"},
	{"jmp *%rax", "ff e0", "| indirect"},
	{"jmp *(%rax,%rdi,8)", "ff 24 f8", "; indexed | indirect"},
	{"call .+5", "e8 00 00 00 00", "; calls | call 0x401005"},
	{"jmp .+5", "eb 03", "| jump 0x401005"},
	{"jne .+5", "75 03", "| branch 5 0x401005"},
	{"jrcxz .+5", "e3 03", "rax rcx rdx rbx rsi rdi | branch 255 0x401005"},
	{"loop .+5", "e2 03", "rax rcx rdx rbx rsi rdi | branch 255 0x401005"},
	{"xbegin .+9", "c7 f8 03 00 00 00", "rax | branch 255 0x401009"},
	{"ret", "c3", "| return"},
	{"ret $8", "c2 08 00", "| return"},
	{"lret $8", "ca 08 00", "; odd | odd"},
	{"iretq", "48 cf", "; odd | odd"},
	{"hlt", "f4", "; odd | stop"},
	{"ud2", "0f 0b", "; odd | stop"},
	{"syscall", "0f 05", "rax rcx rdx rbx rsi rdi; calls odd"},
	{"int $0x80", "cd 80", "rax rcx rdx rbx rsi rdi; calls odd"},
	{"int3", "cc", "; padding odd"},
	{"lea 5(%rip),%rdi", "48 8d 3d 05 00 00 00", "rdi; names 0x40100c"},
};

static const struct instruction_case arm64[] = {
	{"mov x1,x2", "e1 03 02 aa", "x1"},
	{"add x1,x2,#4", "41 10 00 91", "x1"},
	{"add sp,sp,#16", "ff 43 00 91", "sp"},
	{"subs xzr,x1,#4", "3f 10 00 f1", ""},
	{"subs x1,x2,#4", "41 10 00 f1", "x1"},
	{"add sp,x1,x2,uxtx", "3f 60 22 8b", "sp"},
	{"and sp,x9,#-32", "3f e9 7b 92", "sp"},
	{"ands xzr,x9,#1", "3f 01 40 f2", ""},
	{"add xzr,x1,x2", "3f 00 02 8b", ""},
	{"addvl sp,sp,#-1", "ff 57 3f 04", "sp"},
	{"irg sp,x1", "3f 10 df 9a", "sp"},
	{"ldr x1,[x2]", "41 00 40 f9", "x1"},
	{"ldr x1,[x2],#8", "41 84 40 f8", "x1 x2"},
	{"ldr x1,[x2,#8]!", "41 8c 40 f8", "x1 x2"},
	{"ldrsw x1,[x2,x3,lsl #2]", "41 78 a3 b8", "x1"},
	{"ldr x1,0x20", "01 01 00 58", "x1"},
	{"str x1,[x2]", "41 00 00 f9", "; stores"},
	{"str x1,[x2,#8]!", "41 8c 00 f8", "x2; stores"},
	{"strb w1,[x2,x3]", "41 68 23 38", "; stores"},
	{"str x30,[x2]", "5e 00 00 f9", "; stores link"},
	{"ldr q1,[x2],#16", "41 04 c1 3c", "x2"},
	{"str q1,[x2]", "41 00 80 3d", "; stores"},
	{"str d1,[x2],#8", "41 84 00 fc", "x2; stores"},
	{"ldp x1,x3,[x2]", "41 0c 40 a9", "x1 x3"},
	{"ldp x1,x3,[x2],#16", "41 0c c1 a8", "x1 x2 x3"},
	{"stp x1,x3,[sp,#-16]!", "e1 0f bf a9", "sp; stores"},
	{"stp x29,x30,[sp,#16]", "fd 7b 01 a9", "; stores link"},
	{"ldp q1,q3,[x2]", "41 0c 40 ad", ""},
	{"stp d1,d3,[sp,#-16]!", "e1 0f bf 6d", "sp; stores"},
	{"ldxr x1,[x2]", "41 7c 5f c8", "x1 x2; stores odd"},
	{"stlxr w3,x1,[x2]", "41 fc 03 c8", "x1 x2 x3; stores odd"},
	{"ldadd x1,x3,[x2]", "43 00 21 f8", "x1 x3; stores"},
	{"ld1 {v0.16b},[x2],#16", "40 70 df 4c", "x2; stores"},
	{"stg x1,[x2,#16]!", "41 1c 20 d9", "x1 x2; stores"},
	{"st2g sp,[sp],#32", "ff 27 a0 d9", "sp; stores"},
	{"mrs x1,tpidr_el0", "41 d0 3b d5", "x1"},
	{"msr tpidr_el0,x1", "41 d0 1b d5", "; odd"},
	{"bti c", "5f 24 03 d5", ""},
	{"nop", "1f 20 03 d5", "; padding"},
	{"paciasp", "3f 23 03 d5", "x30; odd"},
	{"autiasp", "bf 23 03 d5", "x30; odd"},
	{"xpaclri", "ff 20 03 d5", "x30; odd"},
	{"mov x1,x30", "e1 03 1e aa", "x1; link"},
	{"yield", "3f 20 03 d5", "; odd"},
	{"dmb ish", "bf 3b 03 d5", "; odd"},
	{"isb", "df 3f 03 d5", "; odd"},
	{"svc #0", "01 00 00 d4", "; calls odd"},
	{"bl .+8", "02 00 00 94", "x30; calls | call 0x401008"},
	{"blr x1", "20 00 3f d6", "x30; calls | call"},
	{"b .+8", "02 00 00 14", "| jump 0x401008"},
	{"b .-8", "fe ff ff 17", "| jump 0x400ff8"},
	{"b.eq .+8", "40 00 00 54", "| branch 0 0x401008"},
	{"b.hi .-8", "c8 ff ff 54", "| branch 8 0x400ff8"},
	{"cbz x1,.+8", "41 00 00 b4", "| branch 255 0x401008"},
	{"tbnz w1,#3,.-8", "c1 ff 1f 37", "| branch 255 0x400ff8"},
	{"br x1", "20 00 1f d6", "| indirect"},
	{"braaz x1", "3f 08 1f d6", "| indirect"},
	{"ret", "c0 03 5f d6", "| return"},
	{"retab", "ff 0f 5f d6", "| return"},
	{"eret", "e0 03 9f d6", "| odd"},
	{"brk #1", "20 00 20 d4", "| stop"},
	{"udf #0", "00 00 00 00", "x0; padding | stop"},
	{"fmov d1,d2", "41 40 60 1e", "x1"},
	{"fmov x1,d2", "41 00 66 9e", "x1"},
	{"umov w1,v2.b[0]", "41 3c 01 0e", "x1"},
	{"st1b {z1.b},p0,[x2]", "41 e0 00 e4", "x1; stores"},
};

static const char *const x86_names[] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
	"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"};

static void put_registers(struct buffer *b, enum elf_machine machine, uint32_t written)
{
	for (unsigned i = 0; i < 32; i++) {
		if (!(written >> i & 1))
			continue;
		buffer_puts(b, b->size ? " " : "");
		if (machine == ELF_MACHINE_X86_64)
			buffer_puts(b, x86_names[i]);
		else
			buffer_printf(b, i == 31 ? "sp" : "x%u", i);
	}
}

static void put_what(struct buffer *b, const struct step *s, unsigned hazards)
{
	const struct {
		bool is_so;
		const char *name;
	} what[] = {
		{s->traits & STEP_IS_PADDING, "padding"},
		{s->traits & STEP_CALLS, "calls"},
		{s->traits & STEP_IS_INDEXED, "indexed"},
		{hazards & HAZARD_STORES, "stores"},
		{hazards & HAZARD_IS_ODD, "odd"},
		{hazards & HAZARD_USES_RETURN, "link"},
		{s->traits & STEP_NAMES_DATA, "names"},
	};
	bool is_first = true;

	for (size_t i = 0; i < ARRAY_SIZE(what); i++) {
		if (!what[i].is_so)
			continue;
		buffer_printf(b, is_first ? "; %s" : " %s", what[i].name);
		is_first = false;
	}
	if (s->traits & STEP_NAMES_DATA)
		buffer_printf(b, " 0x%x", (unsigned)s->target);
}

static void put_flow(struct buffer *b, const struct step *s)
{
	static const char *const flows[] = {
		[FLOW_JUMP] = "jump",
		[FLOW_BRANCH] = "branch",
		[FLOW_CALL] = "call",
		[FLOW_RETURN] = "return",
		[FLOW_INDIRECT] = "indirect",
		[FLOW_STOP] = "stop",
		[FLOW_ODD] = "odd",
	};
	bool is_direct = s->flow == FLOW_JUMP || s->flow == FLOW_BRANCH || s->flow == FLOW_CALL;

	if (s->flow == FLOW_ON)
		return;
	buffer_printf(b, b->size ? " | %s" : "| %s", flows[s->flow]);
	if (s->flow == FLOW_BRANCH)
		buffer_printf(b, " %u", s->condition);
	if (is_direct && s->target)
		buffer_printf(b, " 0x%x", (unsigned)s->target);
}

static void check_instruction(enum elf_machine machine, const struct instruction_case *c)
{
	const struct stepper *stepper = stepper_find(machine);
	_cleanup_(buffer_deinit) struct buffer text = {};
	struct state state = {};
	struct step step = {};
	uint8_t bytes[16];
	size_t n = 0;
	int before = check_failures;

	for (char *end, *at = (char *)c->bytes; *at; at = end)
		bytes[n++] = (uint8_t)strtoul(at, &end, 16);
	CHECK(stepper->take(bytes, n, ADDRESS, &state, &step));
	CHECK_INT(step.size, n);
	put_registers(&text, machine, step.written);
	put_what(&text, &step, stepper->hazards(bytes, n));
	put_flow(&text, &step);
	CHECK_STR(buffer_text(&text), c->expected);
	if (check_failures != before)
		printf("  at %s\n", c->text);
}

static void x86_instructions(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(x86); i++)
		check_instruction(ELF_MACHINE_X86_64, &x86[i]);
}

static void arm64_instructions(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(arm64); i++)
		check_instruction(ELF_MACHINE_ARM64, &arm64[i]);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(x86_instructions),
		CHECK_TEST(arm64_instructions),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
