// SPDX-License-Identifier: Apache-2.0
/*
 * What a file shows by its tables and by its instructions counts first.
 *
 * A program that neither throws nor switches stacks may be linked with a library that does: then
 * what the library calls back is passed by its exceptions, or goes on elsewhere. So where the
 * program's own file shows nothing, the libraries that it is linked with are looked at, for what
 * does so of its own accord. One that can't be found may do anything.
 *
 * Of some libraries everyone's programs are linked with it is known that they don't do it to who
 * calls them.
 */
#include "plan/evidence.h"

#include <string.h>

#include "code/switch.h"
#include "plan/library.h"

/* The beginnings of names. */
static const struct {
	const char *name;
	enum elf_stack_use most; /* what is known to be harmless, and all below */
} harmless[] = {
	/* They throw and unwind for who asks them to, and that shows in those. */
	{"libstdc++.so", ELF_STACK_LEFT},
	{"libc++.so", ELF_STACK_LEFT},
	{"libc++abi.so", ELF_STACK_LEFT},
	{"libgcc_s.so", ELF_STACK_LEFT},
	{"libunwind.so", ELF_STACK_LEFT},
	/* C++'s operator new alone throws. */
	{"libjemalloc.so", ELF_STACK_UNWOUND},
	{"libtcmalloc", ELF_STACK_UNWOUND},
	/* Its errors are codes. */
	{"libicu", ELF_STACK_UNWOUND},
	/* Jobs that can be paused have stacks of their own; who uses them shows that. */
	{"libcrypto.so", ELF_STACK_SWITCHED},
	{"libssl.so", ELF_STACK_SWITCHED},
};

static bool is_harmless(const char *name, enum elf_stack_use use)
{
	for (size_t i = 0; i < ARRAY_SIZE(harmless); i++)
		if (!strncmp(name, harmless[i].name, strlen(harmless[i].name)))
			return use <= harmless[i].most;
	return false;
}

/* The worst of all counts, and of those that are as bad the first. */
static void look_at_library(struct elf_file *library, const char *path, void *data)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	struct file *f = data;
	enum elf_stack_use use = ELF_STACK_UNWOUND;
	const char *why = library ? elf_file_disturbs(library, &use) : "which can't be found";

	if (!why || is_harmless(name, use) || (f->evidence.why && f->evidence.use >= use))
		return;
	f->evidence.why = arena_printf(f->kept, "it is linked with %s: %s", name, why);
	f->evidence.use = use;
}

static int look_at_code(const uint8_t *bytes, size_t n, void *data)
{
	return code_switches_stacks(elf_file_machine(data), bytes, n);
}

/* Names tell of the ways to switch stacks that are known, and a stripped file has none. */
static void search_code(struct file *f)
{
	int r;

	if (f->evidence.why && f->evidence.use >= ELF_STACK_SWITCHED)
		return;
	r = elf_file_each_code(f->elf, CODE_SWITCH_SPAN, look_at_code, f->elf);
	if (!r)
		return;
	f->evidence.use = ELF_STACK_SWITCHED;
	f->evidence.why =
		r > 0 ? "it switches stacks by instructions of its own"
		      : "whether it switches stacks can't be told: not all its code can be read";
}

/* What seldom happens is for a person to weigh. */
static void tell_choice(struct file *f)
{
	struct evidence *e = &f->evidence;

	e->by_exits = e->why;
	if (e->why && e->use == ELF_STACK_MOVED)
		e->by_exits =
			arena_printf(f->kept, "%s: that is how every Go function is timed", e->why);
	if (e->why && e->use == ELF_STACK_OPEN)
		e->by_exits = arena_printf(f->kept,
			"%s; where that never happens, `exit: uretprobe` with `unsafe: true` costs "
			"less (see doc/safety.md)",
			e->why);
}

const struct evidence *file_evidence(struct file *f)
{
	if (f->evidence.is_known)
		return &f->evidence;
	f->evidence.is_known = true;
	f->evidence.why = elf_file_unwinds(f->elf);
	f->evidence.use = elf_file_stack_use(f->elf);
	search_code(f);
	if (!f->evidence.why && !elf_file_is_library(f->elf))
		libraries_visit(f->target, f->elf, look_at_library, f);
	tell_choice(f);
	return &f->evidence;
}
