// SPDX-License-Identifier: Apache-2.0
/*
 * bpftrace prints what its programs print only once it has attached all of them: a program on a
 * timer tells when that is.
 */
#include "bpftrace.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "bench.h"

enum { WAIT_MS = 20000, STEP_MS = 20 };

static const char script[] = "uprobe:/proc/%d/exe:%s { @start[tid] = nsecs; } "
			     "uretprobe:/proc/%d/exe:%s /@start[tid]/ "
			     "{ @ns = hist(nsecs - @start[tid]); delete(@start[tid]); } "
			     "interval:ms:200 { printf(\"attached\\n\"); } "
			     "END { clear(@start); }";

static void become_bpftrace(int output, const char *function, pid_t parent)
{
	_cleanup_(freep) char *text = memory_printf(script, parent, function, parent, function);
	int nowhere = open("/dev/null", O_RDWR);

	prctl(PR_SET_PDEATHSIG, SIGKILL); /* it must not outlive the bench, whatever ends that */
	if (getppid() != parent)
		_exit(126);
	dup2(nowhere, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	dup2(nowhere, STDERR_FILENO);
	execlp("bpftrace", "bpftrace", "-B", "none", "-e", text, NULL);
	_exit(127);
}

/* Reads what it says until line stands there. */
static int await_line(struct bpftrace *b, const char *line)
{
	double deadline_ns = now_ns() + WAIT_MS * 1e6;
	struct pollfd readable = {.fd = fileno(b->output), .events = POLLIN};
	char text[256];

	while (now_ns() < deadline_ns && poll(&readable, 1, WAIT_MS) == 1) {
		if (!fgets(text, sizeof(text), b->output))
			return -ENOENT;
		if (!strcmp(text, line))
			return 0;
	}
	return -ETIMEDOUT;
}

int bpftrace_start(struct bpftrace *b, const char *function)
{
	pid_t parent = getpid();
	int ends[2], r;

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	b->output = fdopen(ends[0], "r");
	b->pid = fork();
	if (!b->pid)
		become_bpftrace(ends[1], function, parent);
	close(ends[1]);
	r = await_line(b, "attached\n");
	if (r)
		bpftrace_end(b);
	return r;
}

/* A line of the histogram: [1K, 2K)   1234 |@@@    | */
static unsigned long read_count(const char *line)
{
	const char *end = line[0] == '[' ? strpbrk(line, ")]") : NULL;

	return end ? strtoul(end + 1, NULL, 10) : 0;
}

static void end(pid_t pid)
{
	kill(pid, SIGINT);
	for (int waited_ms = 0; !waitpid(pid, NULL, WNOHANG); waited_ms += STEP_MS) {
		if (waited_ms > WAIT_MS)
			kill(pid, SIGKILL);
		poll(NULL, 0, STEP_MS);
	}
}

unsigned long bpftrace_end(struct bpftrace *b)
{
	unsigned long n = 0;
	char line[256];

	end(b->pid);
	while (fgets(line, sizeof(line), b->output))
		n += read_count(line);
	fclose(b->output);
	return n;
}
