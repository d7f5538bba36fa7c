// SPDX-License-Identifier: Apache-2.0
/*
 * dump PROGRAM: what Go's tables say of a program, a fact a line, for test/go/check to compare with
 * what Go's own tools and the debug information say:
 *
 *     version go1.26.8
 *     function ADDRESS SIZE NAME      (as a stripped file's symbol)
 *     depth ADDRESS BYTES             (the stack pointer's, from there on)
 *     inlined CALLEE<tab>CALLER
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/mman.h>

#include "elf/go_table.h"
#include "elf/layout.h"

static int print_symbol(const struct elf_symbol *s, void *data)
{
	(void)data;
	printf("function %" PRIx64 " %" PRIu64 " %s\n", s->address, s->size, s->name);
	return 0;
}

static int print_depths(const struct go_function *f, void *data)
{
	int64_t last = -2;

	for (uint64_t pc = f->address; pc < f->address + f->size; pc++) {
		int64_t depth = go_table_stack_depth(data, f, pc);

		if (depth != last)
			printf("depth %" PRIx64 " %" PRId64 "\n", pc, depth);
		last = depth;
	}
	return 0;
}

static int print_inlined(const char *callee, const struct go_function *caller, void *data)
{
	(void)data;
	printf("inlined %s\t%s\n", callee, caller->name);
	return 0;
}

/* A copy, so that its header can be changed; the process's end closes it. */
static int copy_file(const char *path)
{
	int from = open(path, O_RDONLY | O_CLOEXEC), to = memfd_create("copy", MFD_CLOEXEC);
	char bytes[65536];
	ssize_t n;

	while ((n = read(from, bytes, sizeof(bytes))) > 0)
		if (write(to, bytes, (size_t)n) != n)
			return -1;
	return n ? -1 : to;
}

/* A file of the other machine is opened as one of this one's, and only then taken for what it is:
 * its tables can be read anywhere. */
static int open_any(struct elf_file **out, const char *path, struct error *e)
{
#if defined(__aarch64__)
	static const uint16_t here = EM_AARCH64;
#else
	static const uint16_t here = EM_X86_64;
#endif
	const off_t offset = offsetof(Elf64_Ehdr, e_machine);
	uint16_t machine;
	int fd = copy_file(path), r;

	if (pread(fd, &machine, sizeof(machine), offset) != sizeof(machine) ||
		pwrite(fd, &here, sizeof(here), offset) != sizeof(here))
		return error_set(e, -EIO, "copying %s", path);
	r = elf_file_open(out, fd, e);
	if (!r)
		(*out)->header.e_machine = machine;
	return r;
}

static int dump(struct elf_file *f, const struct go_table *t, struct error *e)
{
	const char *version = go_table_version(t);
	int r;

	printf("version %s\n", version ? version : "unknown");
	r = go_each_symbol(f, &(struct symbol_wish){.visit = print_symbol}, e);
	if (!r)
		r = go_table_each(t, print_depths, (void *)t);
	if (!r && go_table_each_inlined(t, print_inlined, NULL))
		r = error_set(e, -ENODATA, "what was inlined can't be told");
	return r;
}

int main(int argc, char **argv)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	_cleanup_(error_deinit) struct error e = {};
	const struct go_table *t = NULL;
	const char *why = NULL;
	int r = argc == 2 ? open_any(&f, argv[1], &e) : error_set(&e, -EINVAL, "a file, please");

	if (!r)
		t = elf_file_go(f, &why);
	if (!r)
		r = t ? dump(f, t, &e) : error_set(&e, -ENOENT, "%s", why ? why : "not Go's");
	if (r)
		fprintf(stderr, "%s\n", error_text(&e));
	return r != 0;
}
