// SPDX-License-Identifier: Apache-2.0
/*
 * plan/rules.c says what is wrong and in which kernels; distributions put the correction into
 * others, too. So a child is forked that forbids itself every system call but the one that ends it,
 * and calls a function with a return probe. Looking at the filters of the processes that run would
 * say less: most install theirs when they start, which may be after the probe was attached.
 *
 * A call that the filter forbids raises a signal, which the child handles: nothing is written to
 * the kernel's log.
 */
#include "trace/uretprobe.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "plan/rules.h"
#include "trace/selftest.h"

/* What became of the child. */
enum { SURVIVED, CRASHED, NOT_TRIED };

static __attribute__((noinline)) int returning(int x)
{
	__asm__ volatile("" : "+r"(x));
	return x;
}

static void on_signal(int signal)
{
	(void)signal;
	_exit(CRASHED);
}

static int forbid_all(void)
{
	struct sock_filter steps[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
	};
	const struct sock_fprog program = {ARRAY_SIZE(steps), steps};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -errno;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) ? -errno : 0;
}

static int run_child(void)
{
	static const int signals[] = {SIGSYS, SIGSEGV, SIGBUS, SIGILL, SIGTRAP};

	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		signal(signals[i], on_signal);
	if (forbid_all())
		return NOT_TRIED;
	return returning(1) == 1 ? SURVIVED : CRASHED;
}

static int run(void)
{
	pid_t pid = fork();
	int status = 0;

	if (!pid)
		_exit(run_child());
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return NOT_TRIED;
	return WIFEXITED(status) ? WEXITSTATUS(status) : CRASHED;
}

/* With the function probed. A child of which no return was counted has tried nothing. */
static int try_it(struct shared *shared, enum attach_mode mode)
{
	_cleanup_(error_deinit) struct error e = {};
	_cleanup_(bank_freep) struct bank *bank = NULL;
	uint64_t bound = 1000000, cookie, offset = selftest_own_offset((const void *)returning);
	const struct link_places place = {.offsets = &offset, .cookies = &cookie, .n = 1};
	struct bounds bounds = {&bound, 1};
	struct link_set links = {};
	int outcome;

	if (!offset || bank_new_plain(&bank, shared, mode, &bounds, 0, 1, &e))
		return NOT_TRIED;
	cookie = bank->base_slot;
	if (link_attach(&links, &bank->programs, "/proc/self/exe", &place, &e))
		return NOT_TRIED;
	outcome = run();
	link_detach(&links, NULL);
	return outcome == SURVIVED && selftest_compare(bank, 1, &e) ? NOT_TRIED : outcome;
}

bool uretprobe_try(struct shared *shared, enum attach_mode mode)
{
	int outcome = try_it(shared, mode);

	return outcome == NOT_TRIED ? rules_guess().allows_uretprobes : outcome == SURVIVED;
}
