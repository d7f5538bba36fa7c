// SPDX-License-Identifier: Apache-2.0
/*
 * What the decoder can't see by itself comes from the file's tables: where functions begin, where
 * an exception may let this one go on (landing pads), and which piece of code elsewhere is a part
 * of it. A part is found where the code, or a landing pad, leads to one; it may have landing pads
 * and lead to further parts.
 */
#include "plan/body.h"

#include "base/memory.h"
#include "plan/go.h"

enum {
	MOST_PARTS = 4,
	LARGEST_PART = 4 << 20,
	MOST_INNER = 64,
	FARTHEST_INSIDE = 64 << 10,
	LONGEST = 16 /* instruction, or a little more */
};

struct body {
	struct elf_file *elf;
	struct code_part parts[MOST_PARTS];
	size_t n_parts;
	struct landing_pads entries; /* and where symbols say that a function begins inside */
	const char *unknown;         /* why entries isn't all there is, or NULL */
	bool is_go;
	struct go_function go; /* where it is */
};

static void body_deinit(struct body *b)
{
	for (size_t i = 0; i < b->n_parts; i++)
		free((void *)b->parts[i].bytes);
	landing_pads_deinit(&b->entries);
}

static int read_code(void *data, uint64_t address, void *bytes, size_t n)
{
	const struct body *b = data;

	return elf_file_read_address(b->elf, address, bytes, n);
}

static enum code_beginning beginning(void *data, uint64_t address)
{
	const struct body *b = data;
	const struct elf_frame *frame = elf_file_frame(b->elf, address);
	struct go_function go;

	if (elf_file_has_function(b->elf, address) || elf_file_is_import(b->elf, address) ||
		(b->is_go && go_function_find(b->elf, address, &go)))
		return CODE_BEGINS_FUNCTION;
	if (!frame || frame->address != address || frame->is_part)
		return CODE_BEGINS_NOTHING;
	return CODE_BEGINS_FRAME;
}

static int64_t depth(void *data, uint64_t address)
{
	const struct body *b = data;
	const char *why;

	return go_table_stack_depth(elf_file_go(b->elf, &why), &b->go, address);
}

static bool holds(const struct body *b, uint64_t address)
{
	for (size_t i = 0; i < b->n_parts; i++)
		if (address - b->parts[i].address < b->parts[i].size)
			return true;
	return false;
}

/* The landing pads of all frames in a range of code, which is mostly one. */
static void add_landing_pads(struct body *b, uint64_t address, uint64_t size)
{
	const struct elf_frame *frame;
	uint64_t end = address + size;

	while (address < end && (frame = elf_file_frame(b->elf, address))) {
		if (elf_file_landing_pads(b->elf, frame, &b->entries))
			b->unknown = "where it handles exceptions can't be told";
		address = frame->address + frame->size;
	}
}

static bool add_part(struct body *b, uint64_t address, uint64_t size)
{
	uint8_t *bytes;

	if (b->n_parts == MOST_PARTS || !size || size > LARGEST_PART)
		return false;
	bytes = memory_alloc(size);
	if (elf_file_read_address(b->elf, address, bytes, size)) {
		free(bytes);
		return false;
	}
	b->parts[b->n_parts++] = (struct code_part){address, bytes, size};
	add_landing_pads(b, address, size);
	return true;
}

/* Whether code with a frame of its own is a part of some function's, or may be: without a symbol,
 * in a stripped file, it can as well be a function that is only jumped to. Then it is taken for a
 * part: its exits are where a call that jumps there ends, and other calls that come by are none of
 * the function's. */
static bool may_be_part(struct elf_file *elf, const struct elf_frame *frame, uint64_t address)
{
	return frame->is_part ||
	       (frame->address == address && !elf_file_has_function(elf, address) &&
		       !elf_file_is_import(elf, address));
}

/* The part that something leads to, where it is one. */
static bool add_part_at(struct body *b, uint64_t address)
{
	const struct elf_frame *frame = elf_file_frame(b->elf, address);

	return frame && may_be_part(b->elf, frame, address) && !holds(b, frame->address) &&
	       add_part(b, frame->address, frame->size);
}

/* The parts in which landing pads lie; each may bring more of them. */
static void add_handling_parts(struct body *b)
{
	for (size_t i = 0; i < b->entries.n; i++)
		if (!holds(b, b->entries.addresses[i]) && !add_part_at(b, b->entries.addresses[i]))
			b->unknown =
				"it handles exceptions in code that isn't known to be a part of it";
}

/* Another function's symbol inside: whoever calls that one comes in there. */
static void add_inner_functions(struct body *b, uint64_t address, uint64_t size)
{
	uint64_t at = address;

	for (size_t n = 0; (at = elf_file_next_function(b->elf, at)) - address < size; n++) {
		if (n == MOST_INNER) {
			b->unknown = "it contains too many other functions";
			return;
		}
		b->entries.addresses = memory_grow(
			b->entries.addresses, b->entries.n + 1, sizeof(*b->entries.addresses));
		b->entries.addresses[b->entries.n++] = at;
	}
}

bool body_begins_instruction(struct elf_file *elf, const struct elf_frame *frame, uint64_t address)
{
	uint64_t distance = address - frame->address;
	uint64_t size = frame->size - distance < LONGEST ? frame->size : distance + LONGEST;
	_cleanup_(freep) uint8_t *bytes = memory_alloc(size);

	return !elf_file_read_address(elf, frame->address, bytes, size) &&
	       code_begins_instruction(elf_file_machine(elf),
		       &(struct code_part){frame->address, bytes, size}, distance);
}

/* Why a function that begins inside another's frame must not be probed there, or NULL. A symbol
 * may lie anywhere, and a breakpoint in the middle of an instruction makes another one of it. */
static const char *place_doubt(struct elf_file *elf, uint64_t address)
{
	const struct elf_frame *frame = elf_file_frame(elf, address);

	if (!frame || frame->address == address)
		return NULL;
	if (address - frame->address > FARTHEST_INSIDE)
		return "deep inside another function, by the tables for unwinding";
	return body_begins_instruction(elf, frame, address)
		       ? NULL
		       : "in the middle of another function's instruction";
}

static void ask(struct code_function *out, struct body *b, const struct body_question *question)
{
	const struct code_question q = {
		.machine = elf_file_machine(b->elf),
		.parts = b->parts,
		.n_parts = b->n_parts,
		.entries = b->entries.addresses,
		.n_entries = b->entries.n,
		.reads_arguments = question->reads_arguments,
		.allows_nop5 = question->allows_nop5,
		.allows_depth = question->allows_depth,
		.probes_exits = question->probes_exits,
		.is_go = b->is_go,
		.read = read_code,
		.begins = beginning,
		.depth = depth,
		.data = b,
	};

	code_function_decode(out, &q);
}

const char *body_decode(
	struct code_function *out, struct elf_file *elf, const struct body_question *question)
{
	_cleanup_(body_deinit) struct body b = {.elf = elf};
	const char *doubt = place_doubt(elf, question->address);

	*out = (struct code_function){};
	if (doubt)
		return doubt;
	b.is_go = go_function_find(elf, question->address, &b.go);
	if (!add_part(&b, question->address, question->size))
		return question->size > LARGEST_PART ? "larger than 4 MiB, by the symbol table"
						     : "beyond the end of the file";
	add_inner_functions(&b, question->address, question->size);
	for (;;) {
		add_handling_parts(&b);
		ask(out, &b, question);
		if (!out->elsewhere || !add_part_at(&b, out->elsewhere))
			break;
		code_function_deinit(out);
	}
	if (!elf_file_has_sections(elf) && !b.is_go)
		b.unknown = "the file's section headers are gone";
	if (b.unknown && !out->exits_unknown)
		out->exits_unknown = b.unknown;
	return NULL;
}
