// SPDX-License-Identifier: Apache-2.0
/*
 * How long it takes to find a large Go program's tables, to check them, and to walk over its
 * functions: one of 100 MB, as large as Kubernetes' kubelet, made here, with and without section
 * headers.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buffer.h"
#include "bench.h"
#include "elf/go.h"
#include "elf/layout.h"

enum {
	N_FUNCTIONS = 130000,
	FUNCTION_SIZE = 480,
	CODE = 0x400000,
	TABLES = 0x8000000,
	MODULE = 0x10000000,
	HEADER_SIZE = 72,
	RECORD_SIZE = 44,
	N_SEGMENTS = 3,
	N_SECTIONS = 3,
	PAGE = 4096,
	LIMIT_MS = 500,
	ROUNDS = 9,
};

#if defined(__aarch64__)
enum { UNIT_BYTES = 4, MACHINE = EM_AARCH64 };
static const uint8_t makes_room[] = {0xff, 0x63, 0x00, 0xd1};
#else
enum { UNIT_BYTES = 1, MACHINE = EM_X86_64 };
static const uint8_t makes_room[] = {0x48, 0x83, 0xec, 0x18};
#endif

static void put(struct buffer *b, uint64_t value, size_t size)
{
	buffer_append(b, &value, size);
}

static void pad(struct buffer *b, size_t to)
{
	while (b->size % to)
		buffer_putc(b, 0);
}

/* Tables of values of its own for each function, of the length that real ones have together. */
static void put_values(struct buffer *b, size_t i)
{
	static const uint8_t depths[] = {2, 8, 48, 96, 47, 4, 0};

	buffer_append(b, depths, sizeof(depths));
	for (size_t n = 0; n < 96; n++)
		put(b, (i + n) % 100 + 1, 1);
	put(b, 0, 1);
}

static void put_record(struct buffer *b, size_t i, uint64_t name, uint64_t values)
{
	size_t begin = b->size;

	put(b, i * FUNCTION_SIZE, 4);
	put(b, name, 4);
	put(b, 0, 8);
	put(b, values, 4);
	while (b->size < begin + RECORD_SIZE)
		buffer_putc(b, 0);
}

struct tables {
	struct buffer all;
	uint64_t names, values, list, size;
};

static void join(struct tables *t, const struct buffer *names, const struct buffer *values,
	const struct buffer *list, const struct buffer *records)
{
	uint64_t magic = 0xfffffff1 | (uint64_t)UNIT_BYTES << 48 | 8ULL << 56;

	t->names = HEADER_SIZE;
	t->values = t->names + names->size;
	t->list = t->values + values->size;
	put(&t->all, magic, 8);
	put(&t->all, N_FUNCTIONS, 8);
	put(&t->all, 0, 16);
	put(&t->all, t->names, 8);
	put(&t->all, t->values, 8);
	put(&t->all, t->values, 8);
	put(&t->all, t->values, 8);
	put(&t->all, t->list, 8);
	buffer_append(&t->all, names->data, names->size);
	buffer_append(&t->all, values->data, values->size);
	buffer_append(&t->all, list->data, list->size);
	buffer_append(&t->all, records->data, records->size);
	t->size = t->all.size;
}

static void make_tables(struct tables *t)
{
	_cleanup_(buffer_deinit) struct buffer names = {}, values = {}, list = {}, records = {};
	const uint64_t list_size = (2 * N_FUNCTIONS + 1) * 4;

	put(&values, 0, 1);
	for (size_t i = 0; i < N_FUNCTIONS; i++) {
		put(&list, i * FUNCTION_SIZE, 4);
		put(&list, list_size + records.size, 4);
		put_record(&records, i, names.size, values.size);
		put_values(&values, i);
		buffer_printf(&names, "example.org/some/package/of/a/program.(*Type%zu).Method", i);
		buffer_putc(&names, 0);
	}
	put(&list, (uint64_t)N_FUNCTIONS * FUNCTION_SIZE, 4);
	pad(&names, 8);
	pad(&values, 8);
	join(t, &names, &values, &list, &records);
	pad(&t->all, PAGE);
}

static void make_module(uint64_t *words, const struct tables *t)
{
	uint64_t end = CODE + (uint64_t)N_FUNCTIONS * FUNCTION_SIZE;

	words[0] = TABLES;
	words[1] = TABLES + t->names;
	words[10] = TABLES + t->values;
	words[13] = words[16] = TABLES + t->list;
	words[14] = words[15] = t->size - t->list;
	words[17] = words[18] = N_FUNCTIONS + 1;
	words[20] = words[22] = CODE;
	words[21] = words[23] = end;
}

static void write_at(int fd, const void *bytes, size_t n, uint64_t offset)
{
	if (pwrite(fd, bytes, n, (off_t)offset) != (ssize_t)n)
		fail("writing the program", "no memory");
}

static void write_code(int fd)
{
	_cleanup_(buffer_deinit) struct buffer code = {};

	for (size_t i = 0; i < N_FUNCTIONS; i++) {
		while (code.size % FUNCTION_SIZE < 8 * UNIT_BYTES - sizeof(makes_room))
			buffer_putc(&code, (char)0x90);
		buffer_append(&code, makes_room, sizeof(makes_room));
		while (code.size % FUNCTION_SIZE)
			buffer_putc(&code, (char)0x90);
	}
	write_at(fd, code.data, code.size, PAGE);
}

static void put_sections(Elf64_Shdr *sections, uint64_t names_at, uint64_t tables_at, uint64_t size)
{
	sections[1] = (Elf64_Shdr){.sh_name = 1,
		.sh_type = SHT_PROGBITS,
		.sh_addr = TABLES,
		.sh_offset = tables_at,
		.sh_size = size};
	sections[2] = (Elf64_Shdr){
		.sh_name = 12, .sh_type = SHT_STRTAB, .sh_offset = names_at, .sh_size = 22};
}

static Elf64_Phdr segment(uint32_t flags, uint64_t address, uint64_t offset, uint64_t size)
{
	return (Elf64_Phdr){.p_type = PT_LOAD,
		.p_flags = flags,
		.p_vaddr = address,
		.p_offset = offset,
		.p_filesz = size,
		.p_memsz = size};
}

/* A page of headers, code, tables, a page of moduledata, sections. */
static int make_program(bool has_sections)
{
	static const char names[22] = "\0.gopclntab\0.shstrtab";
	struct tables t = {};
	uint64_t code_size = (uint64_t)N_FUNCTIONS * FUNCTION_SIZE, words[PAGE / 8] = {};
	uint64_t tables_at = PAGE + (code_size + PAGE - 1) / PAGE * PAGE, module_at, end;
	Elf64_Shdr sections[N_SECTIONS] = {};
	Elf64_Phdr segments[N_SEGMENTS];
	Elf64_Ehdr header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
				     ELFDATA2LSB, EV_CURRENT},
		.e_type = ET_EXEC,
		.e_machine = MACHINE,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(header),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = N_SEGMENTS};
	int fd = memfd_create("program", MFD_CLOEXEC);

	make_tables(&t);
	make_module(words, &t);
	module_at = tables_at + t.all.size;
	end = module_at + PAGE;
	segments[0] = segment(PF_R | PF_X, CODE, PAGE, code_size);
	segments[1] = segment(PF_R, TABLES, tables_at, t.all.size);
	segments[2] = segment(PF_R | PF_W, MODULE, module_at, PAGE);
	put_sections(sections, end + sizeof(sections), tables_at, t.size);
	if (has_sections) {
		header.e_shoff = end;
		header.e_shentsize = sizeof(Elf64_Shdr);
		header.e_shnum = N_SECTIONS;
		header.e_shstrndx = N_SECTIONS - 1;
	}
	write_at(fd, &header, sizeof(header), 0);
	write_at(fd, segments, sizeof(segments), sizeof(header));
	write_code(fd);
	write_at(fd, t.all.data, t.all.size, tables_at);
	write_at(fd, words, sizeof(words), module_at);
	write_at(fd, sections, sizeof(sections), end);
	write_at(fd, names, sizeof(names), end + sizeof(sections));
	buffer_deinit(&t.all);
	return fd;
}

static int count(const struct elf_symbol *s, void *data)
{
	*(size_t *)data += s->size > 0;
	return 0;
}

static double read_once(int fd)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	_cleanup_(error_deinit) struct error e = {};
	double start = spent_ns();
	const char *why = NULL;
	size_t n = 0;

	if (elf_file_open(&f, fd, &e))
		fail("opening the program", error_text(&e));
	if (!elf_file_go(f, &why))
		fail("reading its tables", why ? why : "there are none");
	if (elf_file_each_symbol(f, count, &n, &e) || n != N_FUNCTIONS)
		fail("walking over its functions", error_text(&e));
	return (spent_ns() - start) / 1e6;
}

static int measure(const char *what, bool has_sections)
{
	_cleanup_(closep) int fd = make_program(has_sections);
	double values[ROUNDS];

	for (size_t i = 0; i < ROUNDS; i++)
		values[i] = read_once(fd);
	return report_promise(what, spread_of(values, ROUNDS), UNIT_MS, LIMIT_MS);
}

int main(void)
{
	int n_broken = measure("a Go program of 100 MB: all its functions", true);

	n_broken += measure("the same without section headers", false);
	return n_broken != 0;
}
