/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filtered CALLS: makes its calls under a seccomp filter with a list of what is allowed, as a
 * container's or a service's: what the kernel does by itself at a return isn't on it.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "target.h"

long work(long value);

PROBED long work(long value)
{
	return opaque(value) + 1;
}

#define ALLOW(call)                                                                                \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1),                                     \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static int filter(void)
{
	struct sock_filter steps[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		ALLOW(read),
		ALLOW(write),
		ALLOW(brk),
		ALLOW(newfstatat),
		ALLOW(exit_group),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
	};
	const struct sock_fprog program = {sizeof(steps) / sizeof(*steps), steps};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv)
{
	unsigned long calls = target_number(argc, argv, 1, 1000);

	target_wait("ready");
	if (filter())
		return 4;
	for (unsigned long i = 0; i < calls; i++)
		if (work((long)i) != (long)i + 1)
			return 5;
	target_report("work", (struct ending){.calls = calls, .completed = calls});
	target_wait("done");
	return 0;
}
