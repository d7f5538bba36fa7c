// SPDX-License-Identifier: Apache-2.0
/*
 * Opening a file, and every byte that is read from it.
 *
 * An ELF library is not used, although this is an ELF reader: the files come from containers, and
 * this process is privileged. libelf allocates and fills 200 bytes for each section that a header
 * claims to have before anyone can object (a sparse file of 4 GB costs it 13 GB), it looks for
 * the end of a string in time that grows with the table, and it would rather map than read. What
 * is needed here are five structures that <elf.h> declares, so they are read directly: with
 * pread(2), never through a mapping, which a file that is cut short meanwhile turns into SIGBUS.
 */
#include "elf/go_table.h"
#include "elf/layout.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/memory.h"

int elf_file_read(const struct elf_file *f, uint64_t offset, void *bytes, size_t n)
{
	for (char *to = bytes; n;) {
		ssize_t got = offset > INT64_MAX ? 0 : pread(f->fd, to, n, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			return -EIO;
		to += got;
		offset += (uint64_t)got;
		n -= (size_t)got;
	}
	return 0;
}

int file_read_table(const struct elf_file *f, void **out, uint64_t offset, uint64_t count,
	size_t entry_size, const char *what, struct error *e)
{
	_cleanup_(freep) void *table = NULL;
	uint64_t size;
	int r;

	if (__builtin_mul_overflow(count, entry_size, &size) || offset > f->size_bytes ||
		size > f->size_bytes - offset)
		return error_set(e, -ENOEXEC, "truncated: it ends before %s do", what);
	table = memory_alloc(size + 1);
	r = elf_file_read(f, offset, table, size);
	if (r)
		return error_set_errno(e, r, "reading %s", what);
	*out = TAKE_PTR(table);
	return 0;
}

/* Reads what every file begins with. */
static int load(struct elf_file *f, struct error *e)
{
	struct stat status;
	int r;

	if (fstat(f->fd, &status))
		return error_set_errno(e, -errno, "looking at the file");
	if (!S_ISREG(status.st_mode))
		return error_set(e, -ENOEXEC,
			S_ISDIR(status.st_mode) ? "a directory" : "not a regular file");
	f->size_bytes = (uint64_t)status.st_size;
	r = identity_check(f, e);
	if (!r)
		r = segment_load_all(f, e);
	return r ? r : section_load_all(f, e);
}

int elf_file_open(struct elf_file **out, int fd, struct error *e)
{
	_cleanup_(elf_file_freep) struct elf_file *f = memory_alloc(sizeof(*f));
	int r;

	f->fd = fd;
	r = load(f, e);
	if (!r)
		r = segment_check_all(f, e);
	if (r)
		return r;
	*out = TAKE_PTR(f);
	return 0;
}

int file_open_beside(struct elf_file **out, int fd, const char *origin, struct error *e)
{
	_cleanup_(elf_file_freep) struct elf_file *f = memory_alloc(sizeof(*f));
	int r;

	f->fd = fd;
	f->origin = memory_strdup(origin);
	r = load(f, e);
	if (r)
		return r;
	*out = TAKE_PTR(f);
	return 0;
}

void elf_file_free(struct elf_file *f)
{
	if (!f)
		return;
	elf_file_forget_names(f);
	free(f->segments);
	free(f->sections);
	free(f->frames);
	free(f->starts);
	free(f->handlers);
	go_table_free(f->go);
	error_deinit(&f->missing);
	elf_file_free(f->debug);
	elf_file_free(f->debugdata);
	free(f->debugdata_trouble);
	if (f->origin)
		close(f->fd);
	free(f->origin);
	free(f);
}

enum elf_machine elf_file_machine(const struct elf_file *f)
{
	switch (f->header.e_machine) {
	case EM_X86_64:
		return ELF_MACHINE_X86_64;
	case EM_AARCH64:
		return ELF_MACHINE_ARM64;
	default:
		return ELF_MACHINE_OTHER;
	}
}
