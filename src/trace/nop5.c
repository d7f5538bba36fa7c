// SPDX-License-Identifier: Apache-2.0
/*
 * Linux 6.18 replaces a probed 5-byte nop, once it was hit, with a call of a page that it maps into
 * the process. A call pushes its return address: over what a leaf function keeps below its stack
 * pointer. And a forked child inherits the call, but not the page. Kernels before don't do it, and
 * later ones do it otherwise, so nobody's version is asked: two functions of the exporter's own are
 * probed, and run
 *
 *   by a forked child, in several threads at once, and
 *   by its own forked child, which inherits code that has been hit,
 *
 * both before, while and after the probe is taken off. A wrong result and a crash are verdicts. The
 * children handle their signals, so that a crash leaves no line in the kernel's log.
 */
#include "trace/nop5.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "trace/selftest.h"

#if !defined(__x86_64__)

bool nop5_try(struct shared *shared, enum attach_mode mode, const char **why)
{
	(void)shared;
	(void)mode;
	*why = "there is no such instruction on this machine";
	return false;
}

#else

/* nop5_leaf(x) is 8 * x, by way of eight words below its stack pointer, with the nop while they are
 * in use; nop5_entry(x) is x + 1, with the nop first. */
__asm__(".pushsection .text\n"
	".p2align 4\n"
	"nop5_leaf:\n"
	".irp word, 8, 16, 24, 32, 40, 48, 56, 64\n"
	"	mov %rdi, -\\word(%rsp)\n"
	".endr\n"
	"nop5_leaf_site:\n"
	"	.byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
	"	xor %eax, %eax\n"
	".irp word, 8, 16, 24, 32, 40, 48, 56, 64\n"
	"	add -\\word(%rsp), %rax\n"
	".endr\n"
	"	ret\n"
	".p2align 4\n"
	"nop5_entry:\n"
	"	.byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
	"	lea 1(%rdi), %rax\n"
	"	ret\n"
	".popsection\n");

uint64_t nop5_leaf(uint64_t x), nop5_entry(uint64_t x);
extern const char nop5_leaf_site[];

enum { THREADS = 4, CALLS = 250, SECONDS_AT_MOST = 10, SIGNAL_STACK_BYTES = 64 << 10 };

/* What a child found, as bits of its exit status. */
enum finding {
	LEAF_WRONG = 1 << 0,
	ENTRY_WRONG = 1 << 1,
	CRASHED = 1 << 2,
	FORKED_WRONG = 1 << 3, /* in the child's own child: any of these */
	HUNG = 1 << 4,
};

static const struct {
	enum finding finding;
	const char *why;
} reasons[] = {
	{LEAF_WRONG, "a probe on one overwrote what a function keeps below its stack pointer"},
	{FORKED_WRONG, "a forked child that inherited a probed one crashed"},
	{ENTRY_WRONG, "a function that starts with one returned a wrong result"},
	{CRASHED, "a function that has one crashed"},
	{HUNG, "a function that has one did not return"},
};

/* Shared by the exporter and the children. */
static struct stage {
	atomic_uint n_running; /* threads that have called what they call CALLS times */
	atomic_uint n_crashed;
	atomic_bool is_detached;
} * stage;

static unsigned call_entry(uint64_t x)
{
	return nop5_entry(x) == x + 1 ? 0 : ENTRY_WRONG;
}

static unsigned call_both(uint64_t x)
{
	return call_entry(x) | (nop5_leaf(x) == 8 * x ? 0 : LEAF_WRONG);
}

/* Calls CALLS times, on until the probe has gone, and CALLS times more. */
static unsigned keep_calling(unsigned (*call)(uint64_t))
{
	unsigned found = 0;

	for (uint64_t i = 0; i < CALLS; i++)
		found |= call(i);
	atomic_fetch_add(&stage->n_running, 1);
	for (uint64_t i = 0; !atomic_load(&stage->is_detached); i++)
		found |= call(i);
	for (uint64_t i = 0; i < CALLS; i++)
		found |= call(i);
	return found;
}

static void *run_thread(void *unused)
{
	(void)unused;
	return (void *)(uintptr_t)keep_calling(call_both);
}

static void on_signal(int signal)
{
	atomic_fetch_add(&stage->n_crashed, 1);
	_exit(signal == SIGALRM ? HUNG : CRASHED);
}

static void handle_signals(void)
{
	static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGALRM};
	const stack_t stack = {
		.ss_sp = memory_alloc(SIGNAL_STACK_BYTES), .ss_size = SIGNAL_STACK_BYTES};
	const struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
	sigset_t none;

	sigaltstack(&stack, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaction(signals[i], &action, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	alarm(SECONDS_AT_MOST);
}

/* Forks, once the code to inherit has been hit; the child's child never returns from here. */
static pid_t fork_again(void)
{
	pid_t pid;

	call_entry(0);
	pid = fork();
	if (!pid) {
		alarm(SECONDS_AT_MOST);
		_exit((int)keep_calling(call_entry));
	}
	return pid;
}

static unsigned run_child(void)
{
	pthread_t threads[THREADS];
	unsigned found = 0;
	int status = 0;
	void *result;
	pid_t pid;

	handle_signals();
	pid = fork_again();
	for (size_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, run_thread, NULL))
			return HUNG;
	for (size_t i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &result);
		found |= (unsigned)(uintptr_t)result;
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || status)
		found |= FORKED_WRONG;
	return found;
}

/* Waits until all threads of both children are running, or the child has ended. */
static void await_children(pid_t pid)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	siginfo_t ended = {};

	while (atomic_load(&stage->n_running) + atomic_load(&stage->n_crashed) < THREADS + 1) {
		waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOHANG | WNOWAIT);
		if (ended.si_pid)
			return;
		nanosleep(&moment, NULL);
	}
}

/* So that a child doesn't keep the links when they go. And where two of its threads crash at once,
 * the kernel takes the last thread for one that is being killed, in which it can't take off a
 * uprobe: were that left to it, it would keep the uprobe for good. */
static void let_go(const struct link_set *links)
{
	for (size_t i = 0; i < links->n; i++)
		close(links->fds[i]);
}

/* Has the children run while the links are there and go. Their findings. */
static unsigned run(struct link_set *links)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		let_go(links);
		_exit((int)run_child());
	}
	if (pid > 0)
		await_children(pid);
	link_detach(links, NULL);
	atomic_store(&stage->is_detached, true);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return CRASHED;
	return (unsigned)WEXITSTATUS(status);
}

static int attach(struct link_set *out, const struct bank *bank, struct error *e)
{
	const uint64_t cookies[] = {bank->base_slot, bank->base_slot};
	const uint64_t offsets[] = {
		selftest_own_offset(nop5_leaf_site),
		selftest_own_offset((const void *)nop5_entry),
	};
	const struct link_places places = {.offsets = offsets, .cookies = cookies, .n = 2};

	return link_attach(out, &bank->programs, "/proc/self/exe", &places, e);
}

static const char *explain(unsigned found)
{
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		if (found & reasons[i].finding)
			return reasons[i].why;
	return NULL;
}

bool nop5_try(struct shared *shared, enum attach_mode mode, const char **why)
{
	_cleanup_(error_deinit) struct error e = {};
	_cleanup_(bank_freep) struct bank *bank = NULL;
	struct link_set links = {};

	*why = "the self-test could not be made";
	if (bank_new_plain(&bank, shared, mode, NULL, 0, 1, &e))
		return false;
	stage = mmap(
		NULL, sizeof(*stage), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (stage == MAP_FAILED)
		return false;
	if (!attach(&links, bank, &e))
		*why = explain(run(&links));
	munmap(stage, sizeof(*stage));
	return !*why;
}

#endif
