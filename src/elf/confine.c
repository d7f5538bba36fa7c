// SPDX-License-Identifier: Apache-2.0
/*
 * What is left to a reader: its files, some memory, some time, and the system calls of a program
 * that computes. It keeps the user it runs as, because another's process could not be ended
 * without the capability to; but that user has no means here. Even fcntl(2) is one: a descriptor
 * can be told to send any signal to anyone.
 *
 * A call that isn't allowed fails, and does not kill: what a C library tries first differs from
 * one to the next.
 */
#include "elf/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
enum { MACHINE = AUDIT_ARCH_X86_64 };
#elif defined(__aarch64__)
enum { MACHINE = AUDIT_ARCH_AARCH64 };
#endif

/* Above all numbers that are moved. */
enum { FAR = 64 };

/* sigaltstack: the sanitizers' way out. */
static const int allowed[] = {SYS_read, SYS_pread64, SYS_write, SYS_lseek, SYS_fstat,
	SYS_newfstatat, SYS_close, SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise,
	SYS_brk, SYS_futex, SYS_getrandom, SYS_clock_gettime, SYS_rt_sigprocmask, SYS_rt_sigreturn,
	SYS_sigaltstack, SYS_exit, SYS_exit_group};

static int filter_calls(void)
{
	struct sock_filter code[2 * ARRAY_SIZE(allowed) + 8];
	struct sock_fprog program = {.filter = code};
	unsigned short n = 0;

	code[n++] = (struct sock_filter)BPF_STMT(
		BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
	code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	code[n++] = (struct sock_filter)BPF_STMT(
		BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < ARRAY_SIZE(allowed); i++) {
		code[n++] = (struct sock_filter)BPF_JUMP(
			BPF_JMP | BPF_JEQ | BPF_K, (unsigned)allowed[i], 0, 1);
		code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	}
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
	program.len = n;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) ? -errno : 0;
}

/* Twice, because a number may be taken by a file that is still to be moved. */
static int move_files(const struct reader_job *job, int out_fd)
{
	int n = (int)job->n_fds;

	for (int i = 0; i <= n; i++)
		if (dup2(i < n ? job->fds[i] : out_fd, FAR + i) < 0)
			return -errno;
	for (int i = 0; i <= n; i++)
		if (dup2(FAR + i, READER_FIRST_FD + i) < 0)
			return -errno;
	if (syscall(SYS_close_range, 0u, (unsigned)READER_FIRST_FD - 1, 0u) ||
		syscall(SYS_close_range, (unsigned)(READER_FIRST_FD + n + 1), ~0u, 0u))
		return -errno;
	return 0;
}

/* How much this copy of a large process takes already. */
static uint64_t address_space_bytes(void)
{
	_cleanup_(fclosep) FILE *file = fopen("/proc/self/statm", "re");
	unsigned long n_pages = 0;

	if (!file || fscanf(file, "%lu", &n_pages) != 1)
		return 0;
	return (uint64_t)n_pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static int limit(const struct reader_job *job, uint64_t memory_bytes)
{
	const struct {
		int what;
		rlim_t most;
	} limits[] = {
		{RLIMIT_AS, memory_bytes + job->most_memory_bytes},
		/* Later than the exporter's own limit, which tells why. */
		{RLIMIT_CPU, job->most_seconds + 1},
		{RLIMIT_FSIZE, job->most_file_bytes},
		{RLIMIT_NOFILE, READER_FIRST_FD + READER_MOST_FDS + 1},
		{RLIMIT_CORE, 0},
	};

	for (size_t i = 0; i < ARRAY_SIZE(limits); i++) {
		const struct rlimit both = {limits[i].most, limits[i].most};

		if (setrlimit((__rlimit_resource_t)limits[i].what, &both))
			return -errno;
	}
	return 0;
}

static int drop_privileges(void)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_DUMPABLE, 0) ||
		syscall(SYS_capset, &head, none))
		return -errno;
	return 0;
}

int confine(const struct reader_job *job, int out_fd)
{
	uint64_t memory_bytes = address_space_bytes();
	int r = move_files(job, out_fd);

	if (!r)
		r = drop_privileges();
	if (!r)
		r = limit(job, memory_bytes);
	return r ? r : filter_calls();
}
