// SPDX-License-Identifier: Apache-2.0
/*
 * Calls of a Go function are told apart by the goroutine, which a register holds by the convention
 * of Go's compiler (bpf/go.bpf.h). Assembler doesn't keep to it: there, and in C functions of the
 * same file, the register may hold anything, and nothing tells the calls apart. Which functions
 * are whose only Go's own tables say for certain.
 */
#include "plan/go.h"

#include <string.h>

#include "base/cleanup.h"

static const char in_its_middle[] = "it is called at addresses in its middle as well";

/* Functions that don't begin where they begin. */
static const struct {
	const char *name;
	const char *text;
} odd[] = {
	{"runtime.duffzero", in_its_middle},
	{"runtime.duffcopy", in_its_middle},
	{"runtime.goexit", "it is not entered by a call"},
};

bool go_function_find(struct elf_file *elf, uint64_t address, struct go_function *out)
{
	const char *why;
	const struct go_table *table = elf_file_go(elf, &why);

	return table && !go_table_find(table, address, out);
}

const char *go_count_refusal(struct elf_file *elf, uint64_t address)
{
	struct go_function g;

	if (!go_function_find(elf, address, &g))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(odd); i++)
		if (!strcmp(odd[i].name, g.name))
			return odd[i].text;
	return NULL;
}

const char *go_time_refusal(struct elf_file *elf, uint64_t address)
{
	struct go_function g;
	const char *why;
	const struct go_table *table = elf_file_go(elf, &why);

	if (!table)
		return why ? why : elf_file_unwinds(elf);
	if (!go_table_keeps_goroutine(table))
		return "it was built by a Go older than 1.18, where no register tells the "
		       "goroutine";
	if (!go_function_find(elf, address, &g))
		return "its program is written in Go, whose stacks move, and it is not";
	return g.is_assembly ? "it is written in assembler, in a program of Go, whose stacks move"
			     : NULL;
}
