/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nops TIMES: nopped() is a 5-byte nop, kept() has one while it uses the room below its stack
 * pointer. Both are called, and called again by a child that is forked after each call, so that it
 * inherits the code as the kernel has left it. Wrong results and dead children show in the exit
 * status.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "target.h"

#ifdef __x86_64__
__asm__(".pushsection .text\n"
	".p2align 4\n"
	".globl nopped, kept\n"
	".type nopped, @function\n"
	"nopped:\n"
	"	.byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
	"	ret\n"
	".size nopped, . - nopped\n"
	".p2align 4\n"
	".type kept, @function\n"
	"kept:\n"
	"	mov %rdi, -8(%rsp)\n"
	"	.byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
	"	mov -8(%rsp), %rax\n"
	"	inc %rax\n"
	"	ret\n"
	".size kept, . - kept\n"
	".popsection\n");

void nopped(void);
long kept(long x);
#else
PROBED void nopped(void)
{
	opaque(1);
}

PROBED long kept(long x)
{
	return opaque(x) + 1;
}
#endif

static int call_both(long x)
{
	nopped();
	return kept(x) != x + 1;
}

static int call_forked(long x)
{
	pid_t child = fork();
	int status;

	if (!child)
		_exit(call_both(x));
	return child < 0 || waitpid(child, &status, 0) < 0 || status;
}

int main(int argc, char **argv)
{
	unsigned long times = target_number(argc, argv, 1, 50);
	const struct ending ending = {.calls = 2 * times, .completed = 2 * times};
	int failed = 0;

	target_wait("ready");
	for (unsigned long i = 0; i < times; i++) {
		failed |= call_both((long)i);
		failed |= call_forked((long)i);
	}
	target_report("nopped", ending);
	target_report("kept", ending);
	target_wait("done");
	return failed;
}
