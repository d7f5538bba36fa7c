// SPDX-License-Identifier: Apache-2.0
/*
 * The door of the room: the machines by name of what they are asked, and nothing else. What a
 * site costs and why one is refused is decided in x86.c and arm64.c, which follow the kernel.
 */
#include "code/code.h"

#include "code/machine.h"

static const struct machine {
	void (*examine)(const uint8_t *bytes, size_t n, uint64_t address, struct code_site *out);
} machines[] = {
	[ELF_MACHINE_X86_64] = {x86_examine},
	[ELF_MACHINE_ARM64] = {arm64_examine},
};

static const struct machine *machine_find(enum elf_machine machine)
{
	return (size_t)machine < ARRAY_SIZE(machines) ? &machines[machine] : NULL;
}

const char *cost_class_name(enum cost_class c)
{
	static const char *const names[] = {
		[COST_NOP5] = "nop5",
		[COST_NOP] = "nop",
		[COST_PUSH] = "push",
		[COST_CALL] = "call",
		[COST_STEP] = "step",
	};

	return names[c];
}

void code_examine_entry(enum elf_machine machine, const uint8_t *bytes, size_t n, uint64_t address,
	struct code_site *out)
{
	const struct machine *m = machine_find(machine);

	*out = (struct code_site){.cost = COST_STEP};
	if (m)
		m->examine(bytes, n, address, out);
	else
		out->refusal = "code of a machine that is not known here";
}
