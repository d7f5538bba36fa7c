// SPDX-License-Identifier: Apache-2.0
/*
 * Functions whose return address is to be left alone whatever file they are in, by their names:
 * they return otherwise than others do, or look at the address itself.
 */
#include "elf/file.h"

#include <string.h>

static const char twice[] = "it returns twice, or not to where it was called from";
static const char caller[] = "it looks up who called it";
static const char not_called[] = "it is not entered by a call";

/* A name that ends in * is the beginning of names. */
static const struct {
	const char *name;
	const char *text;
} functions[] = {
	{"setjmp", twice},
	{"_setjmp", twice},
	{"__setjmp", twice},
	{"sigsetjmp", twice},
	{"__sigsetjmp", twice},
	{"getcontext", twice},
	{"__getcontext", twice},
	{"setcontext", twice},
	{"__setcontext", twice},
	{"swapcontext", twice},
	{"__swapcontext", twice},
	{"vfork", twice},
	{"__vfork", twice},
	{"dlopen", caller},
	{"dlmopen", caller},
	{"dlsym", caller},
	{"dlvsym", caller},
	{"dl_iterate_phdr", caller},
	{"__dl_iterate_phdr", caller},
	{"backtrace", caller},
	{"__backtrace", caller},
	{"mcount", caller},
	{"_mcount", caller},
	{"__fentry__", caller},
	{"_Unwind_*", "it walks the stack that it is called on"},
	{"_start", not_called},
	{"_dl_start_user", not_called},
	{"_dl_runtime_resolve*", not_called},
	{"_dl_runtime_profile*", not_called},
	{"__start_context", not_called},
	{"__restore_rt", not_called},
	{"__kernel_rt_sigreturn", not_called},
};

const char *elf_symbol_unwinds(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		size_t length;

		/* Asked for every function: one character tells most apart. */
		if (functions[i].name[0] != name[0])
			continue;
		length = strcspn(functions[i].name, "*");
		if (!strncmp(functions[i].name, name, length) &&
			(functions[i].name[length] || !name[length]))
			return functions[i].text;
	}
	return NULL;
}
