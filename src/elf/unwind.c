// SPDX-License-Identifier: Apache-2.0
/*
 * Could a replaced return address kill this program?
 *
 * While a function with a return probe runs, the address that it is to return to is the kernel's
 * trampoline. Whoever walks the stack finds that address, and nothing in any table of frames
 * says what lies above it: an exception that has to pass is not caught and the process aborts.
 * Whoever moves a stack or goes on with another one returns through a trampoline that the kernel
 * holds for another frame: SIGILL. (Some copy what is on a stack away and back, so that calls under
 * way share an address.) So the files that can do either are told by what they contain,
 * what they are linked with, and the functions that they import or define. No sign of it in a
 * file means that its own functions don't; what its callers do is for the processes to show.
 *
 * Left out on purpose:
 * - longjmp: the kernel drops the frames that it jumps over.
 * - pthread_exit: it unwinds, but where the unwinder comes to the trampoline it takes it for the
 *   end of the stack, and the C library ends the thread as it would have. What is passed over are
 *   clean-ups in frames above. (With pthread_cancel these can be the C library's own, which holds a
 *   lock while it calls a function of the program: that counts.)
 * - backtrace and _Unwind_Backtrace: they end early, which a crash report survives.
 *
 * The C library is a case of its own: it defines what others switch stacks with, and its
 * functions have clean-ups for cancellation, but none of it concerns the many that do neither.
 * So there only imports of these count, and the few functions that must be left alone are named
 * below. A static program has the same clean-ups and the whole unwinder inside, whatever it
 * does. They mean nothing there unless its threads can be cancelled.
 *
 * A program that loads code when it runs (dlopen) may get any of it by that, and call it or be
 * called by it. It isn't known to switch stacks, so that its calls are still its threads'.
 */
#include "elf/go.h"
#include "elf/layout.h"

#include <errno.h>
#include <string.h>

enum place {
	SECTION, /* its name */
	LIBRARY, /* the beginning of a name it is linked with */
	SYMBOL,  /* imported or defined */
};

/* Kinds of files in which a thing means nothing, or for which alone it means something. */
enum file_trait { IS_C_LIBRARY = 1 << 0, IS_STATIC = 1 << 1 };

static const struct evidence {
	enum place place;
	const char *name;
	const char *text;
	unsigned unless, only; /* file_traits */
	enum elf_stack_use use;
	bool is_passive; /* it lets exceptions pass that others throw */
} evidence[] = {
	{SECTION, ".gopclntab", "it is written in Go, whose stacks move", .use = ELF_STACK_MOVED},
	{SECTION, ".go.buildinfo", "it is written in Go, whose stacks move",
		.use = ELF_STACK_MOVED},
	{SECTION, ".note.go.buildid", "it is written in Go, whose stacks move",
		.use = ELF_STACK_MOVED},
	{SYMBOL, "runtime.goexit", "it is written in Go, whose stacks move",
		.use = ELF_STACK_MOVED},
	{SYMBOL, "runtime.morestack", "it is written in Go, whose stacks move",
		.use = ELF_STACK_MOVED},
	{LIBRARY, "libgo.so", "it is written in Go, whose stacks move", .use = ELF_STACK_MOVED},
	{SYMBOL, "caml_runstack", "it is written in OCaml, whose stacks move (caml_runstack)",
		.use = ELF_STACK_MOVED},
	{SYMBOL, "stg_upd_frame_info",
		"it is written in Haskell, which does not return as C does (stg_upd_frame_info)",
		.use = ELF_STACK_MOVED},

	{SYMBOL, "rust_eh_personality",
		"it can panic and unwind, as Rust does (rust_eh_personality)", .is_passive = true},
	{SYMBOL, "rust_begin_unwind", "it can panic and unwind, as Rust does (rust_begin_unwind)"},
	{SYMBOL, "__cxa_throw", "it can throw C++ exceptions (__cxa_throw)"},
	{SYMBOL, "__cxa_rethrow", "it can throw C++ exceptions (__cxa_rethrow)"},
	{SYMBOL, "__cxa_begin_catch", "it can catch C++ exceptions (__cxa_begin_catch)",
		.is_passive = true},
	{SYMBOL, "__gxx_personality_v0",
		"C++ exceptions can pass through it (__gxx_personality_v0)", .is_passive = true},
	{SYMBOL, "__gcc_personality_v0", "exceptions can pass through it (__gcc_personality_v0)",
		.unless = IS_C_LIBRARY | IS_STATIC, .is_passive = true},
	{SYMBOL, "__gnat_personality_v0", "it handles Ada exceptions (__gnat_personality_v0)",
		.is_passive = true},
	{SYMBOL, "__gdc_personality_v0", "it handles D exceptions (__gdc_personality_v0)",
		.is_passive = true},
	{SYMBOL, "__objc_personality_v0",
		"it handles Objective-C exceptions (__objc_personality_v0)", .is_passive = true},
	{SYMBOL, "__gnu_objc_personality_v0",
		"it handles Objective-C exceptions (__gnu_objc_personality_v0)",
		.is_passive = true},
	{SYMBOL, "_ZSt*__throw_", "it can throw C++ exceptions (std::__throw_...)"},
	{SYMBOL, "_Unwind_RaiseException", "it can throw exceptions (_Unwind_RaiseException)",
		.unless = IS_C_LIBRARY | IS_STATIC},
	{SYMBOL, "_Unwind_Resume", "exceptions can pass through it (_Unwind_Resume)",
		.unless = IS_C_LIBRARY | IS_STATIC, .is_passive = true},
	{SYMBOL, "_Unwind_Resume_or_Rethrow", "it can throw exceptions (_Unwind_Resume_or_Rethrow)",
		.unless = IS_C_LIBRARY | IS_STATIC},
	{SYMBOL, "_Unwind_ForcedUnwind", "it unwinds its stack (_Unwind_ForcedUnwind)",
		.unless = IS_C_LIBRARY | IS_STATIC},
	{LIBRARY, "libstdc++.so", "it is linked with libstdc++, whose exceptions may reach it",
		.is_passive = true},
	{LIBRARY, "libc++.so", "it is linked with libc++, whose exceptions may reach it",
		.is_passive = true},
	{LIBRARY, "libc++abi.so", "it is linked with libc++abi, whose exceptions may reach it",
		.is_passive = true},
	{LIBRARY, "libgcc_s.so", "it is linked with libgcc_s, which unwinds stacks",
		.is_passive = true},
	{LIBRARY, "libluajit", "it is linked with LuaJIT, whose errors unwind the stack"},
	{SYMBOL, "lj_err_unwind_dwarf",
		"it contains LuaJIT, whose errors unwind the stack (lj_err_unwind_dwarf)"},
	{SECTION, ".gcc_except_table",
		"its functions have clean-ups that an unwinder must reach (.gcc_except_table)",
		.unless = IS_C_LIBRARY | IS_STATIC, .is_passive = true},
	{SYMBOL, "pthread_cancel",
		"its threads can be cancelled, which unwinds them (pthread_cancel)",
		.only = IS_STATIC},
	{SYMBOL, "pthread_cancel",
		"its threads can be cancelled, which unwinds them (pthread_cancel)",
		.unless = IS_C_LIBRARY | IS_STATIC, .use = ELF_STACK_OPEN},
	{SYMBOL, "dlopen", "it loads code when it runs, which may throw (dlopen)",
		.unless = IS_C_LIBRARY | IS_STATIC, .use = ELF_STACK_OPEN, .is_passive = true},
	{SYMBOL, "__morestack", "its stacks are split (__morestack)", .use = ELF_STACK_SWITCHED},

	{SYMBOL, "sigaltstack", "its signal handlers can run on another stack (sigaltstack)",
		.unless = IS_C_LIBRARY, .use = ELF_STACK_LEFT},

	{SYMBOL, "ASYNC_start_job", "it runs OpenSSL's jobs, which switch stacks (ASYNC_start_job)",
		.use = ELF_STACK_SWITCHED},
	{SYMBOL, "SSL_waiting_for_async",
		"it runs OpenSSL's jobs, which switch stacks (SSL_waiting_for_async)",
		.use = ELF_STACK_SWITCHED},
	{SYMBOL, "swapcontext", "it switches stacks (swapcontext)", .unless = IS_C_LIBRARY,
		.use = ELF_STACK_SWITCHED},
	{SYMBOL, "setcontext", "it switches stacks (setcontext)", .unless = IS_C_LIBRARY,
		.use = ELF_STACK_SWITCHED},
	{SYMBOL, "makecontext", "it switches stacks (makecontext)", .unless = IS_C_LIBRARY,
		.use = ELF_STACK_SWITCHED},
	{SYMBOL, "jump_fcontext", "it switches stacks (jump_fcontext)", .use = ELF_STACK_SWITCHED},
	{SYMBOL, "ontop_fcontext", "it switches stacks (ontop_fcontext)",
		.use = ELF_STACK_SWITCHED},
	{SYMBOL, "make_fcontext", "it switches stacks (make_fcontext)", .use = ELF_STACK_SWITCHED},
	{SYMBOL, "bthread_jump_fcontext", "it switches stacks (bthread_jump_fcontext)",
		.use = ELF_STACK_SWITCHED},
	{SYMBOL, "bthread_start_urgent", "it switches stacks (bthread_start_urgent)",
		.use = ELF_STACK_SWITCHED},
	{SYMBOL, "bthread_start_background", "it switches stacks (bthread_start_background)",
		.use = ELF_STACK_SWITCHED},
	{SYMBOL, "coctx_swap", "it switches stacks, or copies them (coctx_swap)",
		.use = ELF_STACK_MOVED},
	{SYMBOL, "acosw", "it switches stacks, or copies them (acosw)", .use = ELF_STACK_MOVED},
	{SYMBOL, "PyInit__greenlet", "it copies stacks (PyInit__greenlet)", .use = ELF_STACK_MOVED},
	{SYMBOL, "co_switch", "it switches stacks (co_switch)", .use = ELF_STACK_SWITCHED},
	{SYMBOL, "coroutine_transfer", "it switches stacks (coroutine_transfer)",
		.use = ELF_STACK_SWITCHED},
	{SYMBOL, "coro_transfer", "it switches stacks (coro_transfer)", .use = ELF_STACK_SWITCHED},
	{SYMBOL, "qemu_coroutine_switch", "it switches stacks (qemu_coroutine_switch)",
		.use = ELF_STACK_SWITCHED},
	{SYMBOL, "rust_psm_on_stack", "it switches stacks (rust_psm_on_stack)",
		.use = ELF_STACK_SWITCHED},
	{SYMBOL, "rb_fiber_resume", "it switches stacks (rb_fiber_resume)",
		.use = ELF_STACK_SWITCHED},
	{SYMBOL, "zend_fiber_switch_context", "it switches stacks (zend_fiber_switch_context)",
		.use = ELF_STACK_SWITCHED},
	{SYMBOL, "st_thread_create", "it switches stacks (st_thread_create)",
		.use = ELF_STACK_SWITCHED},
	{SYMBOL, "pth_spawn", "it switches stacks (pth_spawn)", .use = ELF_STACK_SWITCHED},
	{LIBRARY, "libboost_context", "it is linked with libboost_context, which switches stacks",
		.use = ELF_STACK_SWITCHED},
	{LIBRARY, "libboost_coroutine",
		"it is linked with libboost_coroutine, which switches stacks",
		.use = ELF_STACK_SWITCHED},
	{LIBRARY, "libboost_fiber", "it is linked with libboost_fiber, which switches stacks",
		.use = ELF_STACK_SWITCHED},
};

/* What a file is searched for, and with what result. */
struct search {
	bool of_library; /* that another file is linked with: passive evidence is none */
	unsigned traits;
	const char *text;
	enum elf_stack_use use;  /* of the row that the text is from */
	struct starts starts;    /* gathered on the way, if not of_library */
	uint64_t beginnings[16]; /* bits: how symbols that some row speaks of begin */
};

/* Nearly all of a million names begin as no row of symbols does: they are compared with none. All
 * rows have four characters in front of a *. */
static unsigned beginning(const char *name)
{
	uint32_t four = 0;

	memcpy(&four, name, strnlen(name, sizeof(four)));
	return (four * 0x9e3779b1u) >> 22;
}

static void note_beginnings(struct search *search)
{
	for (size_t i = 0; i < ARRAY_SIZE(evidence); i++) {
		unsigned bit = beginning(evidence[i].name);

		search->beginnings[bit / 64] |= 1ull << bit % 64;
	}
}

static bool may_tell(const struct search *search, const char *name)
{
	unsigned bit = beginning(name);

	return search->beginnings[bit / 64] >> bit % 64 & 1;
}

/* A * in the row stands for anything, and so does what follows it in the name. */
static bool matches(const struct evidence *row, enum place place, const char *name)
{
	size_t n;

	if (row->name[0] != name[0] || row->name[1] != name[1] || row->place != place)
		return false;
	n = strcspn(row->name, "*");
	if (row->name[n])
		return !strncmp(row->name, name, n) && strstr(name + n, row->name + n + 1);
	return !strncmp(row->name, name, place == LIBRARY ? n : SIZE_MAX);
}

static void look(struct search *search, enum place place, const char *name, bool is_import)
{
	for (size_t i = 0; i < ARRAY_SIZE(evidence); i++) {
		const struct evidence *row = &evidence[i];

		/* The first row counts, unless a later one is worse. */
		if (search->text && search->use >= row->use)
			continue;
		if (!matches(row, place, name))
			continue;
		if (row->is_passive && search->of_library)
			continue;
		if (row->unless & search->traits && !is_import)
			continue;
		if (row->only & ~search->traits)
			continue;
		search->text = row->text;
		search->use = row->use;
	}
}

static void look_at_sections(struct search *search, const struct elf_file *f)
{
	_cleanup_(error_deinit) struct error ignored = {};
	_cleanup_(strings_deinit) struct strings names = {};

	if (strings_load(&names, f, f->header.e_shstrndx, &ignored))
		return;
	for (size_t i = 0; i < f->n_sections; i++) {
		const char *name = strings_at(&names, f->sections[i].sh_name);

		if (name)
			look(search, SECTION, name, false);
	}
}

/* A file without sections, whose names may be made unreadable, still has them. */
static void look_at_go_tables(struct search *search, struct elf_file *f)
{
	const char *why;

	if (elf_file_go(f, &why)) {
		look(search, SECTION, ".gopclntab", false);
	} else if (why && search->use != ELF_STACK_MOVED) {
		search->text = "it is, or may be, written in Go, whose stacks move";
		search->use = ELF_STACK_MOVED;
	}
}

static unsigned file_traits(const struct dynamic *d)
{
	static const char *const c_libraries[] = {"libc.so", "libc.musl-", "ld-musl-"};
	size_t position = 0;
	const char *name = dynamic_next(d, DT_SONAME, &position);

	for (size_t i = 0; name && i < ARRAY_SIZE(c_libraries); i++) {
		if (!strncmp(name, c_libraries[i], strlen(c_libraries[i])))
			return IS_C_LIBRARY;
	}
	position = 0;
	return name || dynamic_next(d, DT_NEEDED, &position) ? 0 : IS_STATIC;
}

static void look_at_libraries(struct search *search, const struct dynamic *d)
{
	const char *name;
	size_t position = 0;

	while ((name = dynamic_next(d, DT_NEEDED, &position)))
		look(search, LIBRARY, name, true);
}

static int look_at_symbol(const struct elf_symbol *s, void *data)
{
	struct search *search = data;

	if (may_tell(search, s->name))
		look(search, SYMBOL, s->name, s->kind == ELF_UNDEFINED);
	if (!search->of_library)
		starts_note(&search->starts, s);
	return search->use == ELF_STACK_MOVED;
}

/* A program is linked to run at any address, too; then it says so, or names its loader. */
static bool is_library(const struct elf_file *f, const struct dynamic *d)
{
	size_t position = 0;
	bool has_loader = false;

	if (f->header.e_type != ET_DYN)
		return false;
	for (size_t i = 0; i < d->n_entries; i++)
		if (d->entries[i].d_tag == DT_FLAGS_1 && d->entries[i].d_un.d_val & DF_1_PIE)
			return false;
	for (size_t i = 0; i < f->n_segments; i++)
		has_loader |= f->segments[i].p_type == PT_INTERP;
	return dynamic_next(d, DT_SONAME, &position) || !has_loader;
}

/* Why the search is over without a result, or NULL. */
static const char *search_all(struct search *search, struct elf_file *f, const struct dynamic *d)
{
	_cleanup_(error_deinit) struct error ignored = {};
	int r;

	note_beginnings(search);
	search->traits = file_traits(d);
	look_at_libraries(search, d);
	look_at_sections(search, f);
	look_at_go_tables(search, f);
	if (search->use == ELF_STACK_MOVED)
		return NULL;
	r = elf_file_each_symbol(f, look_at_symbol, search, &ignored);
	if (!r && !search->of_library)
		starts_keep(&search->starts, f);
	starts_deinit(&search->starts);
	return r < 0 && r != -ENODATA ? "its symbols are broken" : NULL;
}

static void examine(struct elf_file *f, struct search *search)
{
	_cleanup_(error_deinit) struct error ignored = {};
	_cleanup_(dynamic_deinit) struct dynamic d = {};
	const char *broken = NULL;

	if (dynamic_load(&d, f, &ignored))
		broken = "whether it unwinds its stack can't be told: its dynamic section is "
			 "broken";
	else if (search_all(search, f, &d))
		broken = "whether it unwinds its stack can't be told: its symbols are broken";
	f->is_library = !broken && is_library(f, &d);
	if (broken) {
		search->text = broken;
		search->use = ELF_STACK_MOVED;
	}
}

const char *elf_file_unwinds(struct elf_file *f)
{
	struct search search = {};

	if (!f->unwinds_is_known) {
		examine(f, &search);
		f->unwinds = search.text;
		f->stack_use = search.use;
	}
	f->unwinds_is_known = true;
	return f->unwinds;
}

const char *elf_file_disturbs(struct elf_file *f, enum elf_stack_use *use)
{
	struct search search = {.of_library = true};

	examine(f, &search);
	*use = search.use;
	return search.text;
}

enum elf_stack_use elf_file_stack_use(struct elf_file *f)
{
	elf_file_unwinds(f);
	return f->stack_use;
}

bool elf_file_is_library(struct elf_file *f)
{
	elf_file_unwinds(f);
	return f->is_library;
}
