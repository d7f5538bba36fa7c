/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heads TIMES: functions that begin in the ways compilers begin them, each called TIMES times.
 * Where a cheap instruction is near, the probe sits there and not on the first one: behind an
 * endbr64, behind what computes, on a branch, or, where a branch of the function itself leads in
 * between, on the first all the same. `rounds` goes round a loop whose head is the second
 * instruction.
 */
#include "target.h"

typedef long head(long a, long b);

#define HEAD(name, code)                                                                 \
	head name;                                                                       \
	__asm__(".text\n.globl " #name "\n.type " #name ", @function\n" #name ":\n" code \
		"\n.size " #name ", . - " #name "\n")

HEAD(pushes, "push %rbx; mov %rdi, %rax; pop %rbx; ret");
HEAD(marked, "endbr64; push %rbx; mov %rdi, %rax; pop %rbx; ret");
HEAD(computes,
	"endbr64; mov %rdi, %rax; lea 1(%rsi), %rdx; xor %ecx, %ecx; push %rbx; add %rdx, %rax; "
	"pop %rbx; ret");
HEAD(branches, "mov %rdi, %rax; test %rsi, %rsi; je 1f; add %rsi, %rax; ret; 1: neg %rax; ret");
HEAD(rounds, "xor %eax, %eax; 1: push %rbx; add %rdi, %rax; pop %rbx; dec %rsi; jns 1b; ret");
HEAD(restarts, "endbr64; 1: push %rbx; pop %rbx; mov %rdi, %rax; sub $5, %rdi; jg 1b; ret");
HEAD(nothing, "mov %rdi, %rax; ret");
HEAD(moves, "sub $8, %rsp; mov %rdi, %rax; call nothing; add $8, %rsp; ret");
HEAD(hops, "mov %rdi, %rax; jmp nothing");

static const struct {
	const char *name;
	head *function;
} heads[] = {
	{"pushes", pushes},
	{"marked", marked},
	{"computes", computes},
	{"branches", branches},
	{"rounds", rounds},
	{"restarts", restarts},
	{"moves", moves},
	{"hops", hops},
};

enum { N_HEADS = sizeof(heads) / sizeof(heads[0]) };

int main(int argc, char **argv)
{
	unsigned long times = target_number(argc, argv, 1, 1000);
	long sum = 0;

	target_wait("ready");
	for (unsigned long i = 0; i < times; i++)
		for (unsigned h = 0; h < N_HEADS; h++)
			sum += heads[h].function((long)i, (long)(i % 4));
	for (unsigned h = 0; h < N_HEADS; h++)
		target_report(heads[h].name, (struct ending){times, times, 0, 0});
	target_report("nothing", (struct ending){2 * times, 2 * times, 0, 0});
	printf("#sum %ld\n", sum);
	target_wait("done");
	return 0;
}
