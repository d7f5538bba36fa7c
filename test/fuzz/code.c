// SPDX-License-Identifier: Apache-2.0
/*
 * Any bytes as a function of either machine, and the rest of them as what its jump tables are read
 * from: a container's file is decoded by a privileged process. Whatever is told must lie within
 * the function, and an exit or a moved site must be an instruction that can be probed.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "code/function.h"
#include "code/switch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { START = 0x401000, HEADER = 3 };

struct rest {
	const uint8_t *bytes;
	size_t n;
};

/* The same bytes again and again, at any address. */
static int read_rest(void *data, uint64_t address, void *bytes, size_t n)
{
	const struct rest *rest = data;

	if (!rest->n)
		return -1;
	for (size_t i = 0; i < n; i++)
		((uint8_t *)bytes)[i] = rest->bytes[(address + i) % rest->n];
	return 0;
}

static enum code_beginning beginning(void *data, uint64_t address)
{
	(void)data;
	return (enum code_beginning)(address % 3);
}

static int64_t depth(void *data, uint64_t address)
{
	(void)data;
	return (int64_t)(address % 3) - 1;
}

static void check(const struct code_function *f, const struct code_question *q)
{
	uint64_t last = 0;

	if (f->entry.offset >= q->parts[0].size || f->n_exits > CODE_MOST_EXITS)
		abort();
	if (f->entry.depth && (!q->allows_depth || f->exits_unknown))
		abort();
	if (f->entry.depth > CODE_MOST_DEPTH || f->entry.depth % 8)
		abort();
	if (f->entry.offset && f->entry.site.refusal)
		abort();
	if (f->entry.is_conditional && (!q->is_go || f->entry.condition > 15))
		abort();
	if (f->exits_unknown ? f->n_exits || f->returns_plainly : f->n_conditional > f->n_exits)
		abort();
	for (size_t i = 0; i < f->n_exits; i++) {
		const struct code_exit *e = &f->exits[i];
		bool is_inside = false;

		for (size_t part = 0; part < q->n_parts; part++)
			is_inside |= e->address - q->parts[part].address < q->parts[part].size;
		if (!is_inside || e->site.refusal || !e->site.size || e->address <= last)
			abort();
		last = e->address;
	}
}

/* The first bytes choose: machine and options, where the function is cut in two, where its rest
 * begins. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t n = size > HEADER ? size - HEADER : 0, end = n ? data[2] * n / 255 : 0;
	size_t cut = n ? data[1] * end / 255 : 0;
	struct rest rest = {data + HEADER + end, n - end};
	struct code_part parts[] = {{START, NULL, cut}, {2 * START, NULL, end - cut}};
	_cleanup_(freep) uint8_t *first = NULL, *second = NULL;
	uint64_t entry = START + cut / 2;
	struct code_function f;

	if (!cut)
		return 0;
	first = memcpy(memory_alloc(cut), data + HEADER, cut);
	second = memcpy(memory_alloc(end - cut + 1), data + HEADER + cut, end - cut);
	parts[0].bytes = first;
	parts[1].bytes = second;
	struct code_question question = {
		.machine = data[0] & 1 ? ELF_MACHINE_ARM64 : ELF_MACHINE_X86_64,
		.parts = parts,
		.n_parts = 2,
		.entries = &entry,
		.n_entries = data[0] >> 1 & 1,
		.reads_arguments = data[0] & 4,
		.allows_nop5 = data[0] & 8,
		.probes_exits = data[0] & 16,
		.allows_depth = data[0] & 32,
		.is_go = data[0] & 64,
		.read = read_rest,
		.begins = data[0] & 32 ? beginning : NULL,
		.depth = data[0] & 32 ? depth : NULL,
		.data = &rest,
	};
	code_function_decode(&f, &question);
	check(&f, &question);
	code_function_deinit(&f);
	code_switches_stacks(question.machine, first, cut);
	return 0;
}
