// SPDX-License-Identifier: Apache-2.0
/*
 * What code.h takes for harmless, tried on the kernel that runs: each instruction becomes the
 * entry of a function, which is called with a probe and without. The probe has to count one
 * call, and the function has to leave the same registers, flags and memory both times.
 *
 * Each sample lies at a place of its own choosing by chance. The kernel finds a uprobe by the
 * address of the file's inode in its memory and the offset, and where it can't restore a process's
 * code it keeps the uprobe for good ("failed to unregister, leaking uprobe" in its log): so when
 * who attaches or detaches is killed in the midst of it. Once the inode's memory serves another
 * file, a probe at the same offset of that one is taken for the old one, and the old instruction
 * is what the kernel emulates: a later run of this test at offset 0 went on five bytes behind a
 * nop of two. For the same reason signals wait while a probe comes or goes.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "code/code.h"

#include "check.h"

enum { SKIPPED = 77, FILE_SIZE = 1 << 20, ROOM = 64 };

#if !defined(__x86_64__)

int main(void)
{
	printf("SKIPPED: there are only x86-64 instructions to try\n");
	return SKIPPED;
}

#else

/* An instruction, and what undoes its effect on the stack. A ret follows. */
struct sample {
	const char *name;
	uint8_t bytes[16];
	uint8_t undo[8];
};

static const uint8_t ret = 0xc3;

/* One of each kind: the kernel takes a tenth of a second to remove a probe. */
static const struct sample samples[] = {
	{"nop", {0x90}, {0}},
	{"data16 nop", {0x66, 0x90}, {0}},
	{"nop4", {0x0f, 0x1f, 0x40, 0x00}, {0}},
	{"nop8", {0x0f, 0x1f, 0x84}, {0}},
	{"push rax", {0x50}, {0x59}},
	{"push rsp; pop rdx; sub rdx, rsp", {0x54}, {0x5a, 0x48, 0x29, 0xe2}},
	{"push r12", {0x41, 0x54}, {0x59}},
	{"push 5", {0x6a, 0x05}, {0x59}},
	{"jmp near", {0xe9, 0, 0, 0, 0}, {0}},
	{"je short, taken", {0x74, 0x03}, {0x48, 0xff, 0xc1}},
	{"jne near, not taken", {0x0f, 0x85, 3, 0, 0, 0}, {0x48, 0xff, 0xc1}},
	{"call", {0xe8, 0, 0, 0, 0}, {0x59}},
	{"addr32 call", {0x67, 0xe8, 0, 0, 0, 0}, {0x59}},
	{"bnd jmp", {0xf2, 0xe9, 0, 0, 0, 0}, {0}},
	{"endbr64", {0xf3, 0x0f, 0x1e, 0xfa}, {0}},
	{"mov rcx, [rip]", {0x48, 0x8b, 0x0d, 0, 0, 0, 0}, {0}},
	{"cmp [rip], esi", {0x39, 0x35, 0, 0, 0, 0}, {0}},
	{"mov rcx, fs:[0]", {0x64, 0x48, 0x8b, 0x0c, 0x25, 0, 0, 0, 0}, {0}},
	{"sub rsp, 8", {0x48, 0x83, 0xec, 0x08}, {0x48, 0x83, 0xc4, 0x08}},
	{"ret", {0xc3}, {0}},
	{"rep ret", {0xf3, 0xc3}, {0}},
	{"xchg [rdi], rcx", {0x48, 0x87, 0x0f}, {0}},
	{"por xmm0, xmm1", {0x66, 0x0f, 0xeb, 0xc1}, {0}},
	{"movdqu [rdi], xmm1", {0xf3, 0x0f, 0x7f, 0x0f}, {0}},
	{"pshufd xmm0, xmm1, 1", {0x66, 0x0f, 0x70, 0xc1, 0x01}, {0}},
	{"cmpps xmm0, xmm1, 0", {0x0f, 0xc2, 0xc1, 0x00}, {0}},
	{"pcmpeqb xmm0, xmm1", {0x66, 0x0f, 0x74, 0xc1}, {0}},
};

/* What a function can change. */
struct outcome {
	uint64_t rax, rcx, rdx, rsi, rdi, r8, flags;
	uint8_t vectors[2][16];
	uint8_t memory[64];
};

__attribute__((noinline)) static struct outcome call(const void *function)
{
	static struct outcome o;

	for (unsigned i = 0; i < sizeof(o); i++)
		((uint8_t *)&o)[i] = (uint8_t)(7 * i + 1);
	o.rdi = (uint64_t)o.memory;
	__asm__ volatile("movups (%[vectors]), %%xmm0\n\t"
			 "movups 16(%[vectors]), %%xmm1\n\t"
			 "mov %[r8], %%r8\n\t"
			 "mov %[r8], %%r12\n\t"
			 "sub $512, %%rsp\n\t"
			 "cmp %%rax, %%rax\n\t"
			 "call *%[function]\n\t"
			 "pushfq\n\t"
			 "popq %[flags]\n\t"
			 "add $512, %%rsp\n\t"
			 "mov %%r8, %[r8]\n\t"
			 "movups %%xmm0, (%[vectors])\n\t"
			 "movups %%xmm1, 16(%[vectors])\n\t"
			 : "+a"(o.rax), "+c"(o.rcx), "+d"(o.rdx), "+S"(o.rsi),
			 "+D"(o.rdi), [r8] "+m"(o.r8), [flags] "=&r"(o.flags)
			 : [function] "r"(function), [vectors] "r"(o.vectors)
			 : "memory", "cc", "r8", "r12", "xmm0", "xmm1");
	return o;
}

/* The kernel's number for uprobes, or -1. */
static int uprobe_type(void)
{
	_cleanup_(fclosep) FILE *f = fopen("/sys/bus/event_source/devices/uprobe/type", "re");
	char text[16];

	return f && fgets(text, sizeof(text), f) ? (int)strtol(text, NULL, 10) : -1;
}

/* A probe at offset of the file behind fd, for this process; or -errno. */
static int probe(int fd, off_t offset)
{
	char path[32];
	struct perf_event_attr attributes = {
		.type = (uint32_t)uprobe_type(),
		.size = sizeof(attributes),
		.config1 = (uint64_t)path,
		.config2 = (uint64_t)offset,
	};
	long r;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	r = syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	return r < 0 ? -errno : (int)r;
}

/* Somewhere in a file, with ROOM behind it in the same page. */
static off_t random_place(void)
{
	uint32_t number;

	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		abort();
	return (off_t)(number % (FILE_SIZE / ROOM) * ROOM);
}

static int sample_file(const struct sample *s, size_t size, off_t place)
{
	int fd = memfd_create("sample", MFD_CLOEXEC);
	size_t undo_size = strnlen((const char *)s->undo, sizeof(s->undo));
	off_t undo = place + (off_t)size;

	if (fd < 0 || ftruncate(fd, FILE_SIZE) || pwrite(fd, s->bytes, size, place) < 0 ||
		pwrite(fd, s->undo, undo_size, undo) < 0 ||
		pwrite(fd, &ret, 1, undo + (off_t)undo_size) < 0)
		abort();
	return fd;
}

static void check_sample(const struct sample *s)
{
	_cleanup_(closep) int fd = -1, event = -1;
	struct outcome without, with;
	struct code_site site;
	off_t place = random_place();
	uint64_t hits = 0;
	uint8_t *code;

	code_examine_entry(ELF_MACHINE_X86_64, s->bytes, sizeof(s->bytes), 0, &site);
	CHECK(!site.refusal);
	fd = sample_file(s, site.size, place);
	code = mmap(NULL, FILE_SIZE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	CHECK(code != MAP_FAILED);
	without = call(code + place);
	event = probe(fd, place);
	CHECK(event >= 0);
	with = call(code + place);
	CHECK_INT(read(event, &hits, sizeof(hits)), sizeof(hits));
	CHECK_INT(hits, 1);
	CHECK(!memcmp(&without, &with, sizeof(with)));
	munmap(code, FILE_SIZE);
}

static void samples_run_as_without_a_probe(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		int before = check_failures;

		check_sample(&samples[i]);
		if (check_failures != before)
			printf("  at %s\n", samples[i].name);
	}
}

int main(void)
{
	static const struct check_test tests[] = {CHECK_TEST(samples_run_as_without_a_probe)};
	_cleanup_(closep) int fd = sample_file(&samples[0], 1, 0), event = -1;
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	event = probe(fd, random_place());
	if (event < 0) {
		printf("SKIPPED: no probe may be set here: %s\n", strerror(-event));
		return SKIPPED;
	}
	return check_run(tests, ARRAY_SIZE(tests));
}

#endif
