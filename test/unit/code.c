// SPDX-License-Identifier: Apache-2.0
#include "base/cleanup.h"
#include "code/code.h"

#include "check.h"

/* One instruction and what is to be said of it. refusal: its beginning, or NULL. A size of 0 for
 * what is refused is any: disassemblers differ on branches with a 16-bit operand. */
struct verdict {
	const char *instruction;
	uint8_t bytes[16];
	uint8_t size;
	enum cost_class cost;
	const char *refusal;
};

static void check_verdict(enum elf_machine machine, const struct verdict *v)
{
	struct code_site site;
	int before = check_failures;

	code_examine_entry(machine, v->bytes, sizeof(v->bytes), 0x401000, &site);
	if (v->size || !v->refusal)
		CHECK_INT(site.size, v->size);
	if (v->refusal) {
		CHECK(site.refusal && !strncmp(site.refusal, v->refusal, strlen(v->refusal)));
	} else {
		CHECK(!site.refusal);
		CHECK_STR(cost_class_name(site.cost), cost_class_name(v->cost));
	}
	if (check_failures != before)
		printf("  at %s: %s\n", v->instruction, site.refusal ? site.refusal : "taken");
}

static void cheap_x86_entries(void)
{
	static const struct verdict verdicts[] = {
		{"nop", {0x90}, 1, COST_NOP},
		{"pause", {0xf3, 0x90}, 2, COST_NOP},
		{"data16 nop", {0x66, 0x90}, 2, COST_NOP},
		{"rex.w nop", {0x48, 0x90}, 2, COST_NOP},
		{"nop3", {0x0f, 0x1f, 0x00}, 3, COST_NOP},
		{"nop4", {0x0f, 0x1f, 0x40, 0x00}, 4, COST_NOP},
		{"nop5", {0x0f, 0x1f, 0x44, 0x00, 0x00}, 5, COST_NOP5},
		{"another nop5", {0x66, 0x0f, 0x1f, 0x40, 0x00}, 5, COST_NOP5},
		{"a third nop5", {0x66, 0x66, 0x66, 0x66, 0x90}, 5, COST_NOP5},
		{"nop6", {0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00}, 6, COST_NOP},
		{"nop7", {0x0f, 0x1f, 0x80}, 7, COST_NOP},
		{"nop8", {0x0f, 0x1f, 0x84}, 8, COST_NOP},
		{"nop9", {0x66, 0x0f, 0x1f, 0x84}, 9, COST_STEP},
		{"another nop4", {0x66, 0x0f, 0x1f, 0x00}, 4, COST_STEP},
		{"push rax", {0x50}, 1, COST_PUSH},
		{"push rdi", {0x57}, 1, COST_PUSH},
		{"push r12", {0x41, 0x54}, 2, COST_PUSH},
		{"rex.w push rax", {0x48, 0x50}, 2, COST_STEP},
		{"push ax", {0x66, 0x50}, 2, COST_STEP},
		{"push 5", {0x6a, 0x05}, 2, COST_STEP},
		{"push [rax]", {0xff, 0x30}, 2, COST_STEP},
		{"call", {0xe8, 1, 2, 3, 4}, 5, COST_CALL},
		{"addr32 call", {0x67, 0xe8, 1, 2, 3, 4}, 6, COST_CALL},
		{"bnd call", {0xf2, 0xe8, 1, 2, 3, 4}, 6, COST_CALL},
		{"call rax", {0xff, 0xd0}, 2, COST_STEP},
		{"jmp near", {0xe9, 1, 2, 3, 4}, 5, COST_NOP},
		{"jmp short", {0xeb, 0x10}, 2, COST_NOP},
		{"bnd jmp", {0xf2, 0xe9, 1, 2, 3, 4}, 6, COST_NOP},
		{"jo short", {0x70, 0x10}, 2, COST_NOP},
		{"jg short", {0x7f, 0x10}, 2, COST_NOP},
		{"jo near", {0x0f, 0x80, 1, 2, 3, 4}, 6, COST_NOP},
		{"jg near", {0x0f, 0x8f, 1, 2, 3, 4}, 6, COST_NOP},
		{"jmp [rip]", {0xff, 0x25, 1, 2, 3, 4}, 6, COST_STEP},
		{"jrcxz", {0xe3, 0x10}, 2, COST_STEP},
	};

	for (size_t i = 0; i < ARRAY_SIZE(verdicts); i++)
		check_verdict(ELF_MACHINE_X86_64, &verdicts[i]);
}

static void stepped_x86_entries(void)
{
	static const struct verdict verdicts[] = {
		{"endbr64", {0xf3, 0x0f, 0x1e, 0xfa}, 4, COST_STEP},
		{"mov rbp, rsp", {0x48, 0x89, 0xe5}, 3, COST_STEP},
		{"sub rsp, 8", {0x48, 0x83, 0xec, 0x08}, 4, COST_STEP},
		{"xor eax, eax", {0x31, 0xc0}, 2, COST_STEP},
		{"ret", {0xc3}, 1, COST_STEP},
		{"pop rax", {0x58}, 1, COST_STEP},
		{"mov rax, [rip+4]", {0x48, 0x8b, 0x05, 4, 0, 0, 0}, 7, COST_STEP},
		{"mov rax, fs:[0x28]", {0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0}, 9, COST_STEP},
		{"movabs rax, 0", {0x48, 0xb8}, 10, COST_STEP},
		{"xchg eax, ecx", {0x91}, 1, COST_STEP},
		{"mov ds, ecx", {0x8e, 0xd9}, 2, COST_STEP},
		{"stosb", {0xaa}, 1, COST_STEP},
		{"por xmm0, xmm1", {0x66, 0x0f, 0xeb, 0xc1}, 4, COST_STEP},
		{"movdqa xmm0, xmm1", {0x66, 0x0f, 0x6f, 0xc1}, 4, COST_STEP},
		{"pshufb xmm0, xmm1", {0x66, 0x0f, 0x38, 0x00, 0xc1}, 5, COST_STEP},
		{"movsd xmm0, xmm1", {0xf2, 0x0f, 0x10, 0xc1}, 4, COST_STEP},
		{"vmovups xmm0, xmm1", {0xc5, 0xf8, 0x10, 0xc1}, 4, COST_STEP},
		{"vaddss xmm0, xmm2, xmm1", {0xc5, 0xea, 0x58, 0xc1}, 4, COST_STEP},
		{"andn edx, ecx, edi", {0xc4, 0xe2, 0x70, 0xf2, 0xd7}, 5, COST_STEP},
		{"cpuid", {0x0f, 0xa2}, 2, COST_STEP},
		{"mfence", {0x0f, 0xae, 0xf0}, 3, COST_STEP},
	};

	for (size_t i = 0; i < ARRAY_SIZE(verdicts); i++)
		check_verdict(ELF_MACHINE_X86_64, &verdicts[i]);
}

static void refused_x86_entries(void)
{
	static const struct verdict verdicts[] = {
		{"lock inc [rdi]", {0xf0, 0xff, 0x07}, 3, 0, "an instruction with a lock prefix"},
		{"mov rcx, cs:[rdi]", {0x2e, 0x48, 0x8b, 0x0f}, 4, 0, "an instruction with a seg"},
		{"notrack jmp rax", {0x3e, 0xff, 0xe0}, 3, 0, "an instruction with a segment"},
		{"cs nop10", {0x66, 0x2e, 0x0f, 0x1f, 0x84}, 10, 0, "an instruction with a seg"},
		{"callw", {0x66, 0xe8, 1, 2}, 0, 0, "a branch with a 16-bit operand"},
		{"jow", {0x66, 0x70, 0x10}, 0, 0, "a branch with a 16-bit operand"},
		{"jow near", {0x66, 0x0f, 0x80, 1, 2}, 0, 0, "a branch with a 16-bit operand"},
		{"jmpw short", {0x66, 0xeb, 0x10}, 0, 0, "a branch with a 16-bit operand"},
		{"ud2", {0x0f, 0x0b}, 2, 0, "an instruction that always faults"},
		{"int3", {0xcc}, 1, 0, "a breakpoint instruction"},
		{"int1", {0xf1}, 1, 0, "a breakpoint instruction"},
		{"int 0x80", {0xcd, 0x80}, 2, 0, "a system call or interrupt"},
		{"syscall", {0x0f, 0x05}, 2, 0, "a system call or interrupt"},
		{"sysenter", {0x0f, 0x34}, 2, 0, "a system call or interrupt"},
		{"iretq", {0x48, 0xcf}, 2, 0, "a return from an interrupt"},
		{"hlt", {0xf4}, 1, 0, "a privileged instruction"},
		{"cli", {0xfa}, 1, 0, "a privileged instruction"},
		{"wrmsr", {0x0f, 0x30}, 2, 0, "a privileged instruction"},
		{"mov rcx, cr0", {0x0f, 0x20, 0xc1}, 3, 0, "a privileged instruction"},
		{"in al, dx", {0xec}, 1, 0, "an input or output instruction"},
		{"rep insb", {0xf3, 0x6c}, 2, 0, "an input or output instruction"},
		{"mov ss, ecx", {0x8e, 0xd1}, 2, 0, "a load of the stack segment"},
		{"xchg rax, r8", {0x49, 0x90}, 2, 0, "an exchange that the kernel takes for"},
		{"pushfq", {0x9c}, 1, 0, "pushf"},
		{"rep movsb", {0xf3, 0xa4}, 2, 0, "a repeated string instruction"},
		{"rep stosq", {0xf3, 0x48, 0xab}, 3, 0, "a repeated string instruction"},
		{"repne scasb", {0xf2, 0xae}, 2, 0, "a repeated string instruction"},
		{"vpxor", {0xc5, 0xe9, 0xef, 0xc1}, 4, 0,
			"an AVX or BMI instruction that the kernel r"},
		{"vmovd", {0xc5, 0xf9, 0x6e, 0xc1}, 4, 0,
			"an AVX or BMI instruction that the kernel r"},
		{"vpor", {0xc5, 0xe9, 0xeb, 0xc1}, 4, 0,
			"an AVX or BMI instruction that the kernel t"},
		{"vmovdqu store", {0xc5, 0xfa, 0x7f, 0x0f}, 4, 0,
			"an AVX or BMI instruction that the kernel t"},
		{"vzeroupper", {0xc5, 0xf8, 0x77}, 3, 0,
			"an AVX or BMI instruction that the kernel t"},
		{"vcmpps", {0xc5, 0xe8, 0xc2, 0xc1, 0}, 5, 0,
			"an AVX or BMI instruction that the kernel t"},
		{"vpbroadcastb", {0xc4, 0xe2, 0x79, 0x78, 0xc1}, 5, 0,
			"an AVX or BMI instruction that the kernel t"},
		{"vmovdqu64", {0x62, 0xf1, 0xfe, 0x08, 0x6f, 0xc1}, 6, 0, "an AVX-512 instruction"},
		{"vphsubbw", {0x8f, 0xe9, 0x78, 0xe1, 0xc1}, 5, 0,
			"an instruction of AMD's XOP set"},
		{"salc", {0xd6}, 0, 0, "not a known instruction"},
		{"a rex2 prefix", {0xd5, 0x00, 0x90}, 0, 0, "not a known instruction"},
		{"only prefixes",
			{0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66,
				0x66, 0x66, 0x66, 0x66},
			0, 0, "not a known instruction"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(verdicts); i++)
		check_verdict(ELF_MACHINE_X86_64, &verdicts[i]);
}

/* As a compiler's listing shows an instruction: the number, not its bytes. */
struct arm64_verdict {
	const char *instruction;
	uint32_t word;
	enum cost_class cost;
	const char *refusal;
};

static void check_arm64(const struct arm64_verdict *a)
{
	struct verdict v = {.instruction = a->instruction, .size = 4};

	for (int i = 0; i < 4; i++)
		v.bytes[i] = (uint8_t)(a->word >> 8 * i);
	v.cost = a->cost;
	v.refusal = a->refusal;
	check_verdict(ELF_MACHINE_ARM64, &v);
}

static void arm64_entries(void)
{
	static const struct arm64_verdict verdicts[] = {
		{"nop", 0xd503201f, COST_NOP},
		{"adrp x0, .", 0x90000000, COST_NOP},
		{"adr x1, .+4", 0x10000021, COST_NOP},
		{"b .+8", 0x14000002, COST_NOP},
		{"b.eq .+8", 0x54000040, COST_NOP},
		{"cbz x0, .+8", 0xb4000040, COST_NOP},
		{"cbnz w0, .+8", 0x35000040, COST_NOP},
		{"tbz w0, #0, .+8", 0x36000040, COST_NOP},
		{"tbnz x0, #63, .+8", 0xb7f80040, COST_NOP},
		{"br x16", 0xd61f0200, COST_NOP},
		{"ret", 0xd65f03c0, COST_NOP},
		{"bl .+8", 0x94000002, COST_CALL},
		{"blr x8", 0xd63f0100, COST_CALL},
		{"stp x29, x30, [sp, #-16]!", 0xa9bf7bfd, COST_STEP},
		{"sub sp, sp, #16", 0xd10043ff, COST_STEP},
		{"mov x29, sp", 0x910003fd, COST_STEP},
		{"paciasp", 0xd503233f, COST_STEP},
		{"pacibsp", 0xd503237f, COST_STEP},
		{"bti c", 0xd503245f, COST_STEP},
		{"bti jc", 0xd50324df, COST_STEP},
		{"xpaclri", 0xd50320ff, COST_STEP},
		{"mrs x0, tpidr_el0", 0xd53bd040, COST_STEP},
		{"dmb ish", 0xd5033bbf, COST_STEP},
		{"isb", 0xd5033fdf, COST_STEP},
		{"dc zva, x0", 0xd50b7420, COST_STEP},
		{"ldr x0, [x1]", 0xf9400020, COST_STEP},
		{"ldr q0, [x1]", 0x3dc00020, COST_STEP},
		{"udf #0", 0x00000000, 0, "an instruction that always faults"},
		{"ldr x0, .+8", 0x58000040, 0, "a load of data that lies beside the code"},
		{"ldrsw x0, .+8", 0x98000040, 0, "a load of data that lies beside the code"},
		{"ldr q0, .+8", 0x9c000040, 0, "a load of data that lies beside the code"},
		{"ldr s0, .+8", 0x1c000040, 0, "a load of data that lies beside the code"},
		{"prfm pldl1keep, .+8", 0xd8000040, 0, "a load of data that lies beside the code"},
		{"ldxr w0, [x1]", 0x885f7c20, 0, "an exclusive or ordered access"},
		{"stxr w2, x0, [x1]", 0xc8027c20, 0, "an exclusive or ordered access"},
		{"ldar w0, [x1]", 0x88dffc20, 0, "an exclusive or ordered access"},
		{"cas x0, x1, [x2]", 0xc8a07c41, 0, "an exclusive or ordered access"},
		{"svc #0", 0xd4000001, 0, "a system call or another deliberate exception"},
		{"brk #1", 0xd4200020, 0, "a system call or another deliberate exception"},
		{"yield", 0xd503203f, 0, "a hint that the kernel does not step"},
		{"wfi", 0xd503207f, 0, "a hint that the kernel does not step"},
		{"autiasp", 0xd50323bf, 0, "a hint that the kernel does not step"},
		{"msr tpidr_el0, x0", 0xd51bd040, 0, "a write to a system register"},
		{"msr daifset, #2", 0xd50342df, 0, "a write to a system register"},
		{"eret", 0xd69f03e0, 0, "a branch or system instruction"},
		{"retaa", 0xd65f0bff, 0, "a branch or system instruction"},
		{"braa x0, x1", 0xd71f0801, 0, "a branch or system instruction"},
		{"bc.eq .+8", 0x54000050, 0, "a branch or system instruction"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(verdicts); i++)
		check_arm64(&verdicts[i]);
}

static void bytes_that_are_no_instruction(void)
{
	static const uint8_t push[] = {0x55}, call[] = {0xe8, 1, 2},
			     word[] = {0x1f, 0x20, 0x03, 0xd5};
	struct code_site site;

	code_examine_entry(ELF_MACHINE_X86_64, push, 0, 0, &site);
	CHECK_STR(site.refusal, "not a known instruction");
	code_examine_entry(ELF_MACHINE_X86_64, call, sizeof(call), 0, &site);
	CHECK_STR(site.refusal, "not a known instruction");
	code_examine_entry(ELF_MACHINE_X86_64, push, sizeof(push), 0, &site);
	CHECK(!site.refusal);
	code_examine_entry(ELF_MACHINE_ARM64, word, 3, 0x1000, &site);
	CHECK_STR(site.refusal, "not a known instruction");
	code_examine_entry(ELF_MACHINE_ARM64, word, 4, 0x1002, &site);
	CHECK_STR(site.refusal, "not a known instruction");
	code_examine_entry(ELF_MACHINE_OTHER, push, sizeof(push), 0, &site);
	CHECK_STR(site.refusal, "code of a machine that is not known here");
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(cheap_x86_entries),
		CHECK_TEST(stepped_x86_entries),
		CHECK_TEST(refused_x86_entries),
		CHECK_TEST(arm64_entries),
		CHECK_TEST(bytes_that_are_no_instruction),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
