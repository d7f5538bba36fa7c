// SPDX-License-Identifier: Apache-2.0
/*
 * What kind of file this is, and if it is not the right kind, what it is instead: most often
 * somebody has named the script that starts the program, or the library of another machine.
 */
#include "elf/layout.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#if defined(__x86_64__)
enum { MACHINE_HERE = EM_X86_64 };
#elif defined(__aarch64__)
enum { MACHINE_HERE = EM_AARCH64 };
#else
#error "no machine whose functions could be probed"
#endif

static const struct {
	uint16_t machine;
	const char *name;
} machines[] = {
	{EM_X86_64, "x86-64"},
	{EM_AARCH64, "arm64"},
	{EM_386, "x86"},
	{EM_ARM, "arm"},
	{EM_RISCV, "RISC-V"},
	{EM_PPC64, "ppc64"},
	{EM_S390, "s390"},
	{EM_MIPS, "MIPS"},
	{EM_SPARCV9, "SPARC"},
	{EM_BPF, "BPF"},
	{258, "LoongArch"},
};

static const char *machine_name(uint16_t machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		if (machines[i].machine == machine)
			return machines[i].name;
	}
	return "an unknown machine";
}

/* start: the first bytes of the file, NUL-terminated. */
static int no_elf(char *start, struct error *e)
{
	if (strncmp(start, "#!", 2) != 0)
		return error_set(e, -ENOEXEC, "not an ELF file");
	for (char *c = start; *c; c++) {
		if (!isprint((unsigned char)*c))
			*c = '\0';
		if (!*c)
			break;
	}
	return error_set(e, -ENOEXEC, "a script (%s)", start);
}

static int check_type(uint16_t type, struct error *e)
{
	switch (type) {
	case ET_EXEC:
	case ET_DYN:
		return 0;
	case ET_REL:
		return error_set(e, -ENOEXEC, "an object file that was not linked yet");
	case ET_CORE:
		return error_set(e, -ENOEXEC, "a core dump");
	default:
		return error_set(e, -ENOEXEC, "neither an executable nor a library");
	}
}

static int check_header(const Elf64_Ehdr *h, struct error *e)
{
	if (h->e_ident[EI_CLASS] == ELFCLASS32)
		return error_set(e, -ENOEXEC, "a 32-bit file");
	if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_VERSION] != EV_CURRENT)
		return error_set(e, -ENOEXEC, "an ELF file of an unknown kind");
	if (h->e_ident[EI_DATA] != ELFDATA2LSB)
		return error_set(e, -ENOEXEC, "a big-endian file");
	if (h->e_machine != MACHINE_HERE)
		return error_set(e, -ENOEXEC, "built for %s, and this machine is %s",
			machine_name(h->e_machine), machine_name(MACHINE_HERE));
	return check_type(h->e_type, e);
}

int identity_check(struct elf_file *f, struct error *e)
{
	char start[sizeof(Elf64_Ehdr) + 1] = {};
	size_t n = f->size_bytes < sizeof(Elf64_Ehdr) ? f->size_bytes : sizeof(Elf64_Ehdr);
	int r;

	if (!n)
		return error_set(e, -ENOEXEC, "an empty file");
	r = elf_file_read(f, 0, start, n);
	if (r)
		return error_set_errno(e, r, "reading its header");
	if (n < SELFMAG || memcmp(start, ELFMAG, SELFMAG) != 0)
		return no_elf(start, e);
	if (n < sizeof(Elf64_Ehdr) && start[EI_CLASS] != ELFCLASS32)
		return error_set(e, -ENOEXEC, "truncated: it ends within its header");
	memcpy(&f->header, start, sizeof(f->header));
	return check_header(&f->header, e);
}
