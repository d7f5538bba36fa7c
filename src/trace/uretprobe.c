// SPDX-License-Identifier: Apache-2.0
/*
 * plan/rules.c says what is wrong and in which kernels; distributions put the correction into
 * others, too. So a child is forked that, once it is probed, forbids itself every system call but
 * the one that ends it, and calls a function with a return probe. Looking at the filters of the
 * processes that run would say less: most install theirs when they start, which may be after the
 * probe was attached.
 *
 * A call that the filter forbids raises a signal, which the child handles: nothing is written to
 * the kernel's log.
 */
#include "trace/uretprobe.h"

#include <errno.h>
#include <fcntl.h>
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

/* Waits until it is probed. */
static int run_child(int go_fd)
{
	static const int signals[] = {SIGSYS, SIGSEGV, SIGBUS, SIGILL, SIGTRAP};

	char go;

	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		signal(signals[i], on_signal);
	if (read(go_fd, &go, 1) != 1 || forbid_all())
		return NOT_TRIED;
	return returning(1) == 1 ? SURVIVED : CRASHED;
}

static pid_t start_child(const int ends[2])
{
	pid_t pid = fork();

	if (!pid) {
		close(ends[1]);
		_exit(run_child(ends[0]));
	}
	return pid;
}

static int end_child(pid_t pid)
{
	int status = 0;

	if (waitpid(pid, &status, 0) != pid)
		return NOT_TRIED;
	return WIFEXITED(status) ? WEXITSTATUS(status) : CRASHED;
}

/* Has the child call the function when it is probed. */
static int run(const struct bank *bank, uint64_t offset)
{
	_cleanup_(error_deinit) struct error e = {};
	uint64_t cookie = bank->base_slot;
	struct link_places place = {.offsets = &offset, .cookies = &cookie, .n = 1};
	struct link_set links = {};
	int ends[2], outcome;

	if (pipe2(ends, O_CLOEXEC))
		return NOT_TRIED;
	place.only_in = start_child(ends);
	close(ends[0]);
	if (place.only_in > 0 &&
		!link_attach(&links, &bank->programs, "/proc/self/exe", &place, &e))
		(void)!write(ends[1], "", 1);
	close(ends[1]);
	outcome = place.only_in > 0 ? end_child(place.only_in) : NOT_TRIED;
	link_detach(&links, NULL);
	return outcome;
}

/* A child of which no return was counted has tried nothing. */
static int try_it(struct shared *shared, enum attach_mode mode)
{
	_cleanup_(error_deinit) struct error e = {};
	_cleanup_(bank_freep) struct bank *bank = NULL;
	uint64_t bound = 1000000, offset = selftest_own_offset((const void *)returning);
	struct bounds bounds = {&bound, 1};
	int outcome;

	if (!offset || bank_new_plain(&bank, shared, mode, &bounds, 0, 1, &e))
		return NOT_TRIED;
	outcome = run(bank, offset);
	return outcome == SURVIVED && selftest_compare(bank, 1, &e) ? NOT_TRIED : outcome;
}

bool uretprobe_try(struct shared *shared, enum attach_mode mode)
{
	int outcome = try_it(shared, mode);

	return outcome == NOT_TRIED ? rules_guess().allows_uretprobes : outcome == SURVIVED;
}
