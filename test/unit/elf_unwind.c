// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "elf/file.h"

#include "check.h"
#include "elf_image.h"

/* A library or program that contains and needs this and that; what is NULL it doesn't. */
struct sample {
	const char *section, *needed, *soname, *import, *definition;
	const char *expected; /* NULL: nothing against a return probe */
	enum elf_stack_use use;
};

static void add_dynamic(struct image *i, const struct sample *s)
{
	struct buffer names = {};
	Elf64_Dyn entries[3] = {};
	Elf64_Shdr *dynamic;
	size_t n = 0;

	image_text(&names, "");
	if (s->needed) {
		entries[n].d_tag = DT_NEEDED;
		entries[n++].d_un.d_val = image_text(&names, s->needed);
	}
	if (s->soname) {
		entries[n].d_tag = DT_SONAME;
		entries[n].d_un.d_val = image_text(&names, s->soname);
	}
	dynamic = image_section(i, ".dynamic", SHT_DYNAMIC, entries, sizeof(entries));
	dynamic->sh_link = image_index(i, dynamic) + 1;
	image_section(i, ".dynstr", SHT_STRTAB, names.data, names.size);
	buffer_deinit(&names);
}

static void check_sample(const struct sample *s)
{
	_cleanup_(image_deinit) struct image i = image_new();
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	_cleanup_(error_deinit) struct error e = {};
	_cleanup_(closep) int fd = -1;
	struct image_symbols t = {};
	const char *text;

	image_function(&t, "main", IMAGE_CODE, 4);
	if (s->import)
		image_symbol(&t, s->import, STB_GLOBAL << 4 | STT_FUNC, SHN_UNDEF, 0, 0);
	if (s->definition)
		image_function(&t, s->definition, IMAGE_CODE + 16, 4);
	image_table(&i, SHT_SYMTAB, &t);
	if (s->section)
		image_section(&i, s->section, SHT_PROGBITS, NULL, 0);
	add_dynamic(&i, s);
	image_finish(&i);
	fd = image_write(&i);
	CHECK_INT(elf_file_open(&f, fd, &e), 0);
	text = elf_file_unwinds(f);
	CHECK_STR(text ? text : "nothing", s->expected ? s->expected : "nothing");
	CHECK(elf_file_unwinds(f) == text);
	CHECK_INT(elf_file_stack_use(f), s->use);
}

static void check_samples(const struct sample *samples, size_t n)
{
	for (size_t i = 0; i < n; i++)
		check_sample(&samples[i]);
}

static void languages_are_told(void)
{
	static const char go[] = "it is written in Go, whose stacks move";
	static const struct sample samples[] = {
		{.needed = "libc.so.6"},
		{.needed = "libc.so.6", .import = "longjmp"},
		{.needed = "libc.so.6",
			.import = "pthread_cancel",
			.expected = "its threads can be cancelled, which unwinds them "
				    "(pthread_cancel)",
			.use = ELF_STACK_OPEN},
		{.needed = "libc.so.6",
			.import = "dlopen",
			.expected = "it loads code when it runs, which may throw (dlopen)",
			.use = ELF_STACK_OPEN},
		{.needed = "libc.so.6", .import = "pthread_exit", .definition = "backtrace"},
		{.needed = "libc.so.6", .import = "__cxa_finalize"},
		{.needed = "libc.so.6",
			.import = "__cxa_throw",
			.expected = "it can throw C++ exceptions (__cxa_throw)"},
		{.needed = "libc.so.6",
			.definition = "__cxa_begin_catch",
			.expected = "it can catch C++ exceptions (__cxa_begin_catch)"},
		{.needed = "libc.so.6",
			.definition = "rust_eh_personality",
			.expected = "it can panic and unwind, as Rust does (rust_eh_personality)"},
		{.needed = "libstdc++.so.6",
			.expected = "it is linked with libstdc++, whose exceptions may reach it"},
		{.needed = "libgcc_s.so.1",
			.expected = "it is linked with libgcc_s, which unwinds stacks"},
		{.needed = "libc.so.6",
			.section = ".gcc_except_table",
			.expected = "its functions have clean-ups that an unwinder must reach "
				    "(.gcc_except_table)"},
		{.needed = "libc.so.6",
			.section = ".gopclntab",
			.expected = go,
			.use = ELF_STACK_MOVED},
		{.section = ".go.buildinfo", .expected = go, .use = ELF_STACK_MOVED},
		{.definition = "runtime.goexit", .expected = go, .use = ELF_STACK_MOVED},
		{.needed = "libc.so.6", .definition = "runtime.goexit2"},
		{.needed = "libc.so.6",
			.definition = "caml_runstack",
			.expected = "it is written in OCaml, whose stacks move (caml_runstack)",
			.use = ELF_STACK_MOVED},
	};

	check_samples(samples, ARRAY_SIZE(samples));
}

static void switched_stacks_are_told(void)
{
	static const struct sample samples[] = {
		{.needed = "libc.so.6",
			.import = "swapcontext",
			.expected = "it switches stacks (swapcontext)",
			.use = ELF_STACK_SWITCHED},
		{.definition = "makecontext",
			.expected = "it switches stacks (makecontext)",
			.use = ELF_STACK_SWITCHED},
		{.needed = "libc.so.6", .import = "getcontext"},
		{.needed = "libc.so.6",
			.definition = "jump_fcontext",
			.expected = "it switches stacks (jump_fcontext)",
			.use = ELF_STACK_SWITCHED},
		{.needed = "libboost_context.so.1.74.0",
			.expected = "it is linked with libboost_context, which switches stacks",
			.use = ELF_STACK_SWITCHED},
		{.needed = "libc.so.6",
			.import = "sigaltstack",
			.expected = "its signal handlers can run on another stack (sigaltstack)",
			.use = ELF_STACK_LEFT},
		{.needed = "libc.so.6",
			.definition = "coctx_swap",
			.expected = "it switches stacks, or copies them (coctx_swap)",
			.use = ELF_STACK_MOVED},
		/* The worst that is found counts. */
		{.needed = "libstdc++.so.6",
			.import = "sigaltstack",
			.definition = "swapcontext",
			.expected = "it switches stacks (swapcontext)",
			.use = ELF_STACK_SWITCHED},
		{.needed = "libboost_context.so.1.74.0",
			.section = ".gopclntab",
			.expected = "it is written in Go, whose stacks move",
			.use = ELF_STACK_MOVED},
	};

	check_samples(samples, ARRAY_SIZE(samples));
}

static void the_c_library_offers_what_others_use(void)
{
	static const struct sample samples[] = {
		{.soname = "libc.so.6", .definition = "swapcontext"},
		{.soname = "libc.so.6", .section = ".gcc_except_table"},
		{.soname = "libc.so.6", .definition = "_Unwind_Resume"},
		{.soname = "libc.musl-x86_64.so.1", .definition = "setcontext"},
		{.soname = "libc.so.6",
			.import = "_Unwind_Resume",
			.expected = "exceptions can pass through it (_Unwind_Resume)"},
		{.soname = "libc.so.6",
			.needed = "libgcc_s.so.1",
			.expected = "it is linked with libgcc_s, which unwinds stacks"},
		{.soname = "libco.so.1",
			.definition = "swapcontext",
			.expected = "it switches stacks (swapcontext)",
			.use = ELF_STACK_SWITCHED},
		{.soname = "libgcc_s.so.1",
			.needed = "libc.so.6",
			.definition = "_Unwind_Resume",
			.expected = "exceptions can pass through it (_Unwind_Resume)"},
	};

	check_samples(samples, ARRAY_SIZE(samples));
}

static void a_static_program_has_a_c_library_inside(void)
{
	static const struct sample samples[] = {
		{.section = ".gcc_except_table", .definition = "_Unwind_RaiseException"},
		{.definition = "__gcc_personality_v0"},
		{.definition = "pthread_cancel",
			.expected = "its threads can be cancelled, which unwinds them "
				    "(pthread_cancel)"},
		{.definition = "__gxx_personality_v0",
			.expected = "C++ exceptions can pass through it (__gxx_personality_v0)"},
	};

	check_samples(samples, ARRAY_SIZE(samples));
}

static void some_functions_must_be_left_alone(void)
{
	CHECK_STR(elf_symbol_unwinds("vfork"),
		"it returns twice, or not to where it was called from");
	CHECK_STR(elf_symbol_unwinds("__sigsetjmp"),
		"it returns twice, or not to where it was called from");
	CHECK_STR(elf_symbol_unwinds("dlsym"), "it looks up who called it");
	CHECK_STR(elf_symbol_unwinds("_start"), "it is not entered by a call");
	CHECK_STR(elf_symbol_unwinds("_dl_runtime_resolve_xsavec"), "it is not entered by a call");
	CHECK_STR(
		elf_symbol_unwinds("_Unwind_Backtrace"), "it walks the stack that it is called on");
	CHECK(!elf_symbol_unwinds("main"));
	CHECK(!elf_symbol_unwinds("fork"));
	CHECK(!elf_symbol_unwinds("longjmp"));
	CHECK(!elf_symbol_unwinds("_start_here"));
	CHECK(!elf_symbol_unwinds("_star"));
	CHECK(!elf_symbol_unwinds(""));
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(languages_are_told),
		CHECK_TEST(switched_stacks_are_told),
		CHECK_TEST(the_c_library_offers_what_others_use),
		CHECK_TEST(a_static_program_has_a_c_library_inside),
		CHECK_TEST(some_functions_must_be_left_alone),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
