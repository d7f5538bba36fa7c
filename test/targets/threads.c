/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threads N CALLS: N threads make CALLS calls of `work` together, which return at once.
 * A function that starts with push (`work`) is the cheap case; `work_endbr` starts with an
 * instruction that the kernel has to single-step.
 */
#include <pthread.h>
#include <string.h>

#include "target.h"

static unsigned long share;
static long (*function)(long);

long work(long value);
long work_endbr(long value);

PROBED long work(long value)
{
	return opaque(value) + 1;
}

#if defined(__x86_64__) && defined(__GNUC__)
__asm__(".text\n.globl work_endbr\n.type work_endbr, @function\nwork_endbr:\n"
	"endbr64\nlea 1(%rdi), %rax\nret\n.size work_endbr, .-work_endbr\n");
#else
PROBED long work_endbr(long value)
{
	return opaque(value) + 1;
}
#endif

static void *run(void *unused)
{
	long value = 0;

	for (unsigned long i = 0; i < share; i++)
		value = function(value);
	return unused;
}

int main(int argc, char **argv)
{
	unsigned long n = target_number(argc, argv, 1, 4);
	unsigned long calls = target_number(argc, argv, 2, 1000000) / n * n;
	const char *name = argc > 3 ? argv[3] : "work";
	pthread_t threads[n];

	share = calls / n;
	function = strcmp(name, "work") ? work_endbr : work;
	target_wait("ready");
	for (unsigned long i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, run, NULL);
	for (unsigned long i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	target_report(name, (struct ending){.calls = calls, .completed = calls});
	target_wait("done");
	return 0;
}
