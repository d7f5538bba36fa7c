/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coroutine TIMES: calls that begin on one stack and go on while another runs: a uretprobe would
 * have the kernel take one's returns for the other's, and kill the program.
 */
#include <ucontext.h>

#include "target.h"

static ucontext_t first, second;
static char stack[65536];
static unsigned long calls, times;

long hand_over(long to_second);

PROBED long hand_over(long to_second)
{
	calls++;
	if (to_second)
		swapcontext(&first, &second);
	else
		swapcontext(&second, &first);
	return opaque(to_second);
}

static void other(void)
{
	for (;;)
		hand_over(0);
}

int main(int argc, char **argv)
{
	times = target_number(argc, argv, 1, 100);
	getcontext(&second);
	second.uc_stack.ss_sp = stack;
	second.uc_stack.ss_size = sizeof(stack);
	makecontext(&second, other, 0);
	target_wait("ready");
	for (unsigned long i = 0; i < times; i++)
		hand_over(1);
	target_report("hand_over", (struct ending){.calls = calls});
	target_wait("done");
	return 0;
}
