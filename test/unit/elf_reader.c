// SPDX-License-Identifier: Apache-2.0
/* Readers that do what a hostile file could make of one. */
#include "elf/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "check.h"

static const struct reader_job modest = {
	.most_answer_bytes = 1 << 20, .most_memory_bytes = 64 << 20, .most_seconds = 60};

static void check_work(const struct reader_job *job, reader_work *work, int result,
	const char *answer, const char *why)
{
	_cleanup_(reader_freep) struct reader *r = NULL;
	_cleanup_(error_deinit) struct error e = {};
	_cleanup_(buffer_deinit) struct buffer text = {};
	struct reader_job whole = *job;
	uint64_t start_ns = clock_ns();
	const void *bytes;
	size_t n;

	whole.work = work;
	CHECK_INT(reader_start(&r, &whole, &e), 0);
	CHECK_INT(reader_wait(r, 60000, &e), result);
	CHECK_STR(e.text ? e.text : "", why);
	CHECK(clock_ns() - start_ns < 10ull * 1000000000);
	bytes = reader_answer(r, &n);
	buffer_append(&text, bytes, n);
	if (!result)
		CHECK_STR(buffer_text(&text), answer);
}

static int echo(int out_fd, const void *data)
{
	char text[64] = "";

	(void)data;
	if (pread(READER_FIRST_FD, text, sizeof(text), 0) < 0)
		return 1;
	reader_put(out_fd, text, strlen(text));
	memset(text, 0, sizeof(text));
	if (pread(READER_FIRST_FD + 1, text, sizeof(text), 0) < 0)
		return 1;
	reader_put(out_fd, text, strlen(text));
	return 0;
}

static int file_with(const char *text)
{
	int fd = memfd_create("text", MFD_CLOEXEC);

	CHECK_INT(write(fd, text, strlen(text)), strlen(text));
	return fd;
}

static void an_answer_comes_back(void)
{
	_cleanup_(closep) int one = file_with("one"), two = file_with(" two");
	struct reader_job job = modest;

	job.fds[0] = two;
	job.fds[1] = one;
	job.n_fds = 2;
	check_work(&job, echo, 0, " twoone", "");
}

static int say_much(int out_fd, const void *data)
{
	char piece[1000];

	memset(piece, 'x', sizeof(piece));
	for (size_t i = 0; i < *(const size_t *)data; i++)
		reader_put(out_fd, piece, sizeof(piece));
	return 0;
}

static void an_answer_may_be_longer_than_a_pipe(void)
{
	_cleanup_(buffer_deinit) struct buffer expected = {};
	size_t n_pieces = 1048;
	struct reader_job job = modest;

	job.data = &n_pieces;
	for (size_t i = 0; i < n_pieces * 1000; i++)
		buffer_putc(&expected, 'x');
	check_work(&job, say_much, 0, buffer_text(&expected), "");
	n_pieces = 1049;
	check_work(&job, say_much, -EFBIG, NULL, "there is too much of it");
}

static int crash(int out_fd, const void *data)
{
	volatile uintptr_t nowhere = 8;

	(void)data;
	reader_put(out_fd, "half of it", 10);
	*(volatile int *)nowhere = 1;
	return 0;
}

static int find_nonsense(int out_fd, const void *data)
{
	(void)data;
	reader_put(out_fd, "half of it", 10);
	return 1;
}

static int hang(int out_fd, const void *data)
{
	(void)data;
	close(out_fd);
	while (prctl(0))
		;
	return 1;
}

static int loop(int out_fd, const void *data)
{
	(void)out_fd;
	(void)data;
	while (prctl(0))
		;
	return 1;
}

static int eat(int out_fd, const void *data)
{
	size_t n = 0;

	(void)data;
	while (n < 1024) {
		char *piece = mmap(
			NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (piece == MAP_FAILED)
			break;
		*piece = 1;
		n++;
	}
	reader_put(out_fd, n > 32 && n <= 64 ? "bounded" : "not bounded", n <= 64 ? 7 : 11);
	return 0;
}

static int fill(int out_fd, const void *data)
{
	char piece[4096] = "";

	(void)out_fd;
	(void)data;
	signal(SIGXFSZ, SIG_IGN);
	for (int i = 0; i < 1024; i++)
		if (write(READER_FIRST_FD, piece, sizeof(piece)) < 0)
			return 1;
	return 0;
}

static void whatever_it_does_is_survived(void)
{
	struct reader_job short_lived = modest;

	short_lived.most_seconds = 1;
	check_work(&modest, find_nonsense, -EBADMSG, NULL, "broken");
	check_work(&short_lived, loop, -ETIMEDOUT, NULL, "it took longer than 1 s");
	check_work(&modest, hang, -EBADMSG, NULL, "the process that read it crashed (Killed)");
	check_work(&modest, eat, 0, "bounded", "");
}

/* gcc says so in one way, clang in another. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED 1
#endif
#if !defined(IS_SANITIZED)
#define IS_SANITIZED 0
#endif

/* Under the sanitizers, which catch the signal, it is an exit. */
static void a_crash_is_survived(void)
{
	check_work(&modest, crash, -EBADMSG, NULL,
		IS_SANITIZED ? "broken" : "the process that read it crashed (Segmentation fault)");
}

static void files_grow_only_so_far(void)
{
	_cleanup_(closep) int fd = file_with("");
	struct reader_job job = modest;

	job.fds[0] = fd;
	job.n_fds = 1;
	job.most_file_bytes = 100000;
	check_work(&job, fill, -EBADMSG, NULL,
		"the process that read it crashed (File size limit exceeded)");
	CHECK_INT(lseek(fd, 0, SEEK_END), 100000);
}

/* Each of what it must not be able to do, if it can. */
static int try_everything(int out_fd, const void *data)
{
	const pid_t parent = *(const pid_t *)data;

	for (int fd = 0; fd < 256; fd++)
		if (fd != out_fd && syscall(SYS_fstat, fd, (char[256]){}) == 0)
			reader_put(out_fd, "descriptor ", 11);
	if (open("/", O_RDONLY) >= 0 || syscall(SYS_open_by_handle_at, 0, NULL, 0) >= 0)
		reader_put(out_fd, "open ", 5);
	if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0)
		reader_put(out_fd, "socket ", 7);
	if (!kill(parent, 0))
		reader_put(out_fd, "kill ", 5);
	if (!fcntl(out_fd, F_SETOWN, parent))
		reader_put(out_fd, "signal ", 7);
	if (syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL) >= 0)
		reader_put(out_fd, "fork ", 5);
	if (!execl("/bin/true", "true", NULL))
		reader_put(out_fd, "exec ", 5);
	if (syscall(SYS_bpf, 0, NULL, 0) >= 0 || errno != EPERM)
		reader_put(out_fd, "bpf ", 4);
	if (syscall(SYS_setuid, 0) >= 0)
		reader_put(out_fd, "user ", 5);
	reader_put(out_fd, "end", 3);
	return 0;
}

static void it_can_do_nothing_else(void)
{
	const pid_t own = getpid();
	struct reader_job job = modest;

	job.data = &own;
	check_work(&job, try_everything, 0, "end", "");
}

static int state(int out_fd, const void *data)
{
	(void)data;
	reader_put(out_fd, "begun", 5);
	while (prctl(0))
		;
	return 1;
}

/* It is asked now and then, and ends with the one who asks. */
static void nobody_has_to_wait(void)
{
	_cleanup_(error_deinit) struct error e = {};
	struct reader_job job = modest;
	struct reader *r = NULL;

	job.work = state;
	CHECK_INT(reader_start(&r, &job, &e), 0);
	CHECK_INT(reader_wait(r, 0, &e), -EAGAIN);
	CHECK_INT(reader_wait(r, 20, &e), -EAGAIN);
	reader_free(r);
	CHECK_INT(waitpid(-1, NULL, WNOHANG), -1);
	CHECK_INT(errno, ECHILD);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(an_answer_comes_back),
		CHECK_TEST(an_answer_may_be_longer_than_a_pipe),
		CHECK_TEST(whatever_it_does_is_survived),
		CHECK_TEST(a_crash_is_survived),
		CHECK_TEST(files_grow_only_so_far),
		CHECK_TEST(it_can_do_nothing_else),
		CHECK_TEST(nobody_has_to_wait),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
