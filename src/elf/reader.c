// SPDX-License-Identifier: Apache-2.0
/*
 * Parsing in a process of its own.
 *
 * What this program reads itself, it reads with code that expects every number to be a lie. For
 * DWARF and compressed sections there are libraries, which are good, large, and have had their
 * holes; and the files come from containers. So they are parsed by a child with nothing to lose
 * (confine.c), and the answer comes through a pipe, in a form that is simple to check.
 *
 * The child is forked: what it is to look for needs no other way to it. Threads of this process
 * may hold locks of ours just then; the work takes none, and the C library sees to its own.
 *
 * An answer counts once the child has ended well. So one that is cut off is none.
 */
#include "elf/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/memory.h"
#include "elf/confine.h"

enum { DONE, BROKEN, UNCONFINED }; /* how a child exits */

static const uint64_t ns_per_ms = 1000000;

struct reader {
	pid_t pid; /* 0: reaped */
	int fd;
	struct buffer answer;
	uint64_t most_answer_bytes;
	uint64_t end_ns; /* when it must have ended */
	unsigned most_seconds;
};

static _Noreturn void be_reader(const struct reader_job *job, int out_fd, pid_t parent)
{
	int out = READER_FIRST_FD + (int)job->n_fds;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || confine(job, out_fd))
		_exit(UNCONFINED);
	_exit(job->work(out, job->data) ? BROKEN : DONE);
}

int reader_start(struct reader **out, const struct reader_job *job, struct error *e)
{
	pid_t parent = getpid(), pid;
	int ends[2];
	struct reader *r;

	if (pipe2(ends, O_CLOEXEC))
		return error_set_errno(e, -errno, "making a pipe");
	pid = fork();
	if (!pid)
		be_reader(job, ends[1], parent);
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return error_set_errno(e, -errno, "starting a process");
	}
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	r = memory_alloc(sizeof(*r));
	*r = (struct reader){
		.pid = pid,
		.fd = ends[0],
		.most_answer_bytes = job->most_answer_bytes,
		.end_ns = clock_ns() + job->most_seconds * 1000 * ns_per_ms,
		.most_seconds = job->most_seconds,
	};
	*out = r;
	return 0;
}

/* Ends the child, if it hasn't by itself, and says how it ended. */
static int reap(struct reader *r)
{
	int status = 0;

	if (!r->pid)
		return 0;
	kill(r->pid, SIGKILL);
	while (waitpid(r->pid, &status, 0) < 0 && errno == EINTR)
		;
	r->pid = 0;
	return status;
}

void reader_free(struct reader *r)
{
	if (!r)
		return;
	reap(r);
	close(r->fd);
	buffer_deinit(&r->answer);
	free(r);
}

static int conclude(struct reader *r, struct error *e)
{
	int status = reap(r);

	if (WIFSIGNALED(status))
		return error_set(e, -EBADMSG, "the process that read it crashed (%s)",
			strsignal(WTERMSIG(status)));
	if (WEXITSTATUS(status) == UNCONFINED)
		return error_set(
			e, -EPERM, "the process that was to read it could not be confined");
	return WEXITSTATUS(status) == DONE ? 0 : error_set(e, -EBADMSG, "broken");
}

/* Takes what is there. -EAGAIN while there may be more. */
static int take(struct reader *r, struct error *e)
{
	char piece[4096];
	ssize_t n;

	while ((n = read(r->fd, piece, sizeof(piece))) > 0) {
		if ((uint64_t)n > r->most_answer_bytes - r->answer.size) {
			reap(r);
			return error_set(e, -EFBIG, "there is too much of it");
		}
		buffer_append(&r->answer, piece, (size_t)n);
	}
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return -EAGAIN;
	return conclude(r, e);
}

int reader_wait(struct reader *r, int timeout_ms, struct error *e)
{
	uint64_t now = clock_ns(), end = now + (uint64_t)timeout_ms * ns_per_ms;
	int result;

	for (;;) {
		struct pollfd fd = {r->fd, POLLIN, 0};
		uint64_t until = end < r->end_ns ? end : r->end_ns;

		result = take(r, e);
		now = clock_ns();
		if (result != -EAGAIN || now >= until)
			break;
		poll(&fd, 1, (int)((until - now) / ns_per_ms) + 1);
	}
	if (result == -EAGAIN && now >= r->end_ns) {
		reap(r);
		return error_set(e, -ETIMEDOUT, "it took longer than %u s", r->most_seconds);
	}
	return result;
}

const void *reader_answer(const struct reader *r, size_t *n_bytes)
{
	*n_bytes = r->answer.size;
	return r->answer.data;
}

void reader_put(int out_fd, const void *bytes, size_t n)
{
	for (const char *at = bytes; n;) {
		ssize_t written = write(out_fd, at, n);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			_exit(BROKEN);
		at += written;
		n -= (size_t)written;
	}
}
