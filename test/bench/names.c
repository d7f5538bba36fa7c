// SPDX-License-Identifier: Apache-2.0
/*
 * Twenty names and patterns in a program of a million C++ functions, which is made here: how long a
 * plan takes, and how much memory. The symbols are like those of real programs: classes with some
 * dozen methods each, which take strings.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "bench.h"
#include "plan/plan.h"

enum { N_FUNCTIONS = 1000000, METHODS = 20, CODE_SIZE = 16, CODE = 0x401000, CODE_OFFSET = 0x1000 };
/* Half a second is what the machine of doc/measurements.md keeps; a slower one has half as much
 * again. */
enum { LIMIT_MS = 750, LIMIT_MIB = 200, ROUNDS = 3 };

static const char *const methods[METHODS] = {"get", "set", "find", "handle", "process", "close",
	"open", "read", "write", "flush", "resize", "clear", "insert", "erase", "begin", "finish",
	"lookup", "update", "commit", "rollback"};

static const char functions[] =
	"proj::mod3::Component00123::handle, proj::mod6::Component00456::commit, "
	"\"proj::mod1::Component40001::read(int) const\", proj::mod9::Component49999::rollback, "
	"proj::mod2::Component00002::open, proj::mod3::Component00003::open, "
	"proj::mod4::Component00004::open, proj::mod5::Component00005::open, "
	"proj::mod6::Component00006::open, proj::mod7::Component00007::open, "
	"proj::mod8::Component00008::open, proj::mod9::Component00009::open, "
	"\"proj::mod0::Component00010::*\", \"*::Component00020::read\", "
	"\"proj::mod1::Component0003[12]::*\", \"*Component00041::fin*\", "
	"\"/^proj::mod2::Component00052::(open|close)/\", '/Component00064::flush\\(int\\)/', "
	"'/::Component00074::erase/', \"*Component00085*\"";

/* The symbols and their names. */
struct table {
	struct buffer symbols, names;
};

static void add_function(struct table *t, unsigned i)
{
	Elf64_Sym s = {.st_name = (Elf64_Word)t->names.size,
		.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
		.st_shndx = 1,
		.st_value = CODE + (Elf64_Addr)i * CODE_SIZE,
		.st_size = CODE_SIZE};
	unsigned class = i / METHODS;
	const char *method = methods[i % METHODS];

	buffer_append(&t->symbols, &s, sizeof(s));
	buffer_printf(&t->names, "_ZNK4proj4mod%u14Component%05u%zu%sE%s", class % 10, class,
		strlen(method), method,
		i % 3 ? "i" : "RKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE");
	buffer_append(&t->names, "", 1);
}

/* Machine code of one function after the other: push %rbp; pop %rbp; ret; nops. */
static void put_code(struct buffer *file)
{
	static const uint8_t code[CODE_SIZE] = {0x55, 0x5d, 0xc3, 0x90, 0x90, 0x90, 0x90, 0x90,
		0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90};

	for (unsigned i = 0; i < N_FUNCTIONS; i++)
		buffer_append(file, code, sizeof(code));
}

static void put_sections(struct buffer *file, const struct table *t)
{
	uint64_t at = CODE_OFFSET + (uint64_t)N_FUNCTIONS * CODE_SIZE;
	Elf64_Shdr sections[] = {
		{},
		{.sh_type = SHT_PROGBITS,
			.sh_flags = SHF_ALLOC | SHF_EXECINSTR,
			.sh_addr = CODE,
			.sh_offset = CODE_OFFSET,
			.sh_size = at - CODE_OFFSET},
		{.sh_type = SHT_SYMTAB,
			.sh_offset = at,
			.sh_size = t->symbols.size,
			.sh_link = 3,
			.sh_entsize = sizeof(Elf64_Sym)},
		{.sh_type = SHT_STRTAB,
			.sh_offset = at + t->symbols.size,
			.sh_size = t->names.size},
	};

	buffer_append(file, sections, sizeof(sections));
}

static void put_head(struct buffer *file, uint64_t sections_at)
{
	Elf64_Ehdr head = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				   EV_CURRENT},
		.e_type = ET_EXEC,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(head),
		.e_shoff = sections_at,
		.e_ehsize = sizeof(head),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 4};
	Elf64_Phdr code = {.p_type = PT_LOAD,
		.p_flags = PF_R | PF_X,
		.p_offset = CODE_OFFSET,
		.p_vaddr = CODE,
		.p_filesz = (uint64_t)N_FUNCTIONS * CODE_SIZE,
		.p_memsz = (uint64_t)N_FUNCTIONS * CODE_SIZE};

	buffer_append(file, &head, sizeof(head));
	buffer_append(file, &code, sizeof(code));
	while (file->size < CODE_OFFSET)
		buffer_putc(file, '\0');
}

static void write_all(int fd, const struct buffer *b)
{
	for (size_t n = 0; n < b->size;) {
		ssize_t written = write(fd, b->data + n, b->size - n);

		if (written < 0)
			fail("writing the program", strerror(errno));
		n += (size_t)written;
	}
}

/* In a process of its own, whose memory isn't measured. */
static void make_program(const char *path)
{
	_cleanup_(closep) int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
	struct table t = {};
	struct buffer file = {};

	if (fd < 0)
		fail(path, strerror(errno));
	for (unsigned i = 0; i < N_FUNCTIONS; i++)
		add_function(&t, i);
	put_head(&file,
		CODE_OFFSET + (uint64_t)N_FUNCTIONS * CODE_SIZE + t.symbols.size + t.names.size);
	put_code(&file);
	write_all(fd, &file);
	write_all(fd, &t.symbols);
	write_all(fd, &t.names);
	buffer_clear(&file);
	put_sections(&file, &t);
	write_all(fd, &file);
}

static void make_beside(const char *path)
{
	pid_t child = fork();
	int status;

	if (child < 0)
		fail("fork", strerror(errno));
	if (!child) {
		make_program(path);
		_exit(0);
	}
	if (waitpid(child, &status, 0) != child || status)
		fail("making the program", "it did not end well");
}

static double plan_once(const struct config *config, struct world *world)
{
	_cleanup_(plan_freep) struct plan *plan = NULL;
	_cleanup_(error_deinit) struct error e = {};
	double start = spent_ns();

	if (plan_resolve(&plan, config, &(struct plan_rules){.allows_uretprobes = true}, world, &e))
		fail("plan", error_text(&e));
	if (plan->probes[0].state != PLAN_READY)
		fail("plan", plan->probes[0].reason);
	return (spent_ns() - start) / 1e6;
}

static int measure(const char *path, const char *empty)
{
	_cleanup_(buffer_deinit) struct buffer text = {};
	_cleanup_(config_freep) struct config *config = NULL;
	_cleanup_(world_freep) struct world *world = NULL;
	_cleanup_(error_deinit) struct error e = {};
	double spent[ROUNDS], mib;
	struct rusage usage;
	int n_broken;

	buffer_printf(&text, "probes:\n- {binary: %s, function: [%s]}\n", path, functions);
	if (config_parse(&config, "bench", text.data, text.size, &e) ||
		world_new(&world, empty, &e))
		fail("configuration", error_text(&e));
	for (int i = 0; i < ROUNDS; i++)
		spent[i] = plan_once(config, world);
	n_broken = report_promise("plan 20 names among 1,000,000 C++ functions",
		spread_of(spent, ROUNDS), UNIT_MS, LIMIT_MS);
	getrusage(RUSAGE_SELF, &usage);
	mib = (double)usage.ru_maxrss / 1024;
	return n_broken + report_promise("memory of that plan", (struct spread){mib, mib, mib},
				  (struct unit){0, " MiB"}, LIMIT_MIB);
}

int main(void)
{
	char folder[] = "/tmp/uprobe-names.XXXXXX";
	_cleanup_(freep) char *path = NULL;
	int broken;

	if (!mkdtemp(folder))
		fail(folder, strerror(errno));
	path = memory_printf("%s/program", folder);
	make_beside(path);
	broken = measure(path, folder);
	unlink(path);
	rmdir(folder);
	return broken != 0;
}
