/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions as bytes, and what is to be said of them as a line of text:
 *
 *     +4 push | +6 return, cold+3 jump | calls
 *
 * the entry's site with its cost class, how deep the stack is there and, behind a colon, what holds
 * it back; the exits, with a question mark where the stack isn't known, or a question mark and why
 * they can't be told; the other part that it seems to have; whether it only leads to the function
 * below; what else it does.
 *
 * The function lies at 0x401000, its other part at 0x404000 and its table at 0x405000. A function
 * begins at 0x402000, and at 0x403000 something with a frame.
 */
#pragma once

#include <stdlib.h>

#include "base/buffer.h"
#include "code/function.h"

#include "check.h"

enum { START = 0x401000, KNOWN = 0x402000, FRAMED = 0x403000, COLD = 0x404000, TABLE = 0x405000 };

enum options {
	READS = 1 << 0,    /* arguments are read */
	NOP5 = 1 << 1,     /* allowed */
	EXITS = 1 << 2,    /* are probed */
	ANYTHING = 1 << 3, /* nothing is known of what begins where */
	BLIND = 1 << 4,    /* the file can't be read */
	DEEP = 1 << 5,     /* the stack may have moved at the entry's site */
	GO = 1 << 6,       /* it is Go's */
};

struct function_case {
	const char *name, *code, *expected;
	const char *cold, *table;
	unsigned options;
	uint64_t way_in; /* another one than the entry */
	uint64_t framed; /* GO: where the table says that the stack is 16 bytes deep, and not 0 */
};

/* Hexadecimal bytes; none for NULL. */
static inline size_t read_bytes(const char *text, uint8_t *out)
{
	size_t n = 0;

	for (char *end; text && *text; text = end)
		out[n++] = (uint8_t)strtoul(text, &end, 16);
	return n;
}

struct table_bytes {
	uint8_t bytes[64];
	size_t n;
	uint64_t framed;
};

static inline int read_table(void *data, uint64_t address, void *bytes, size_t n)
{
	const struct table_bytes *t = data;

	if (address < TABLE || n > t->n || address - TABLE > t->n - n)
		return -1;
	memcpy(bytes, t->bytes + (address - TABLE), n);
	return 0;
}

static inline int64_t how_deep(void *data, uint64_t address)
{
	const struct table_bytes *t = data;

	return address == t->framed ? 16 : 0;
}

static inline enum code_beginning what_begins(void *data, uint64_t address)
{
	(void)data;
	if (address == KNOWN)
		return CODE_BEGINS_FUNCTION;
	return address == FRAMED ? CODE_BEGINS_FRAME : CODE_BEGINS_NOTHING;
}

static inline void put_exits(struct buffer *b, const struct code_function *f)
{
	static const char *const kinds[] = {
		[CODE_EXIT_RETURN] = "return",
		[CODE_EXIT_JUMP] = "jump",
		[CODE_EXIT_CONDITIONAL] = "if",
		[CODE_EXIT_INDIRECT] = "indirect",
	};

	for (size_t i = 0; i < f->n_exits; i++) {
		const struct code_exit *e = &f->exits[i];
		bool is_cold = e->address >= COLD;

		buffer_printf(b, "%s%s+%u %s", i ? ", " : "", is_cold ? "cold" : "",
			(unsigned)(e->address - (is_cold ? COLD : START)), kinds[e->kind]);
		if (e->kind == CODE_EXIT_CONDITIONAL)
			buffer_printf(b, " %u", e->condition);
		buffer_puts(b, e->stack_is_known ? "" : "?");
	}
	if (!f->n_exits)
		buffer_puts(b, f->exits_unknown ? "? " : "never");
	buffer_puts(b, f->exits_unknown ? f->exits_unknown : "");
}

static inline void put_facts(struct buffer *b, const struct code_function *f)
{
	if (f->elsewhere)
		buffer_printf(b, " | elsewhere 0x%x", (unsigned)f->elsewhere);
	buffer_puts(b, f->leads_to == KNOWN ? " | leads" : "");
	if (f->calls || f->touches_return_address || f->switches_stack || f->looks_up_goroutine)
		buffer_puts(b, " |");
	buffer_puts(b, f->calls ? " calls" : "");
	buffer_puts(b, f->touches_return_address ? " touches" : "");
	buffer_puts(b, f->switches_stack ? " switches" : "");
	buffer_puts(b, f->looks_up_goroutine ? " looks up" : "");
}

static inline void put_function(struct buffer *b, const struct code_function *f)
{
	buffer_printf(b, "+%zu %s", f->entry.offset, cost_class_name(f->entry.site.cost));
	if (f->entry.is_conditional)
		buffer_printf(b, " if %u", f->entry.condition);
	if (f->entry.depth)
		buffer_printf(b, ", %u deep", f->entry.depth);
	if (f->entry.site.refusal)
		buffer_printf(b, " refused: %s", f->entry.site.refusal);
	else if (f->entry.held_back)
		buffer_printf(b, ": %s", f->entry.held_back);
	buffer_puts(b, " | ");
	put_exits(b, f);
	put_facts(b, f);
}

static inline bool only_returns(const struct code_function *f)
{
	for (size_t i = 0; i < f->n_exits; i++)
		if (f->exits[i].kind != CODE_EXIT_RETURN)
			return false;
	return !f->exits_unknown;
}

static inline void check_function(enum elf_machine machine, const struct function_case *c)
{
	uint8_t code[512], cold[64];
	_cleanup_(buffer_deinit) struct buffer text = {};
	struct table_bytes table = {.framed = c->framed};
	struct code_part parts[] = {
		{START, code, read_bytes(c->code, code)},
		{COLD, cold, read_bytes(c->cold, cold)},
	};
	struct code_question question = {
		.machine = machine,
		.parts = parts,
		.n_parts = c->cold ? 2 : 1,
		.entries = &c->way_in,
		.n_entries = c->way_in ? 1 : 0,
		.reads_arguments = c->options & READS,
		.allows_depth = c->options & DEEP,
		.allows_nop5 = c->options & NOP5,
		.probes_exits = c->options & EXITS,
		.is_go = c->options & GO,
		.read = c->options & BLIND ? NULL : read_table,
		.begins = c->options & ANYTHING ? NULL : what_begins,
		.depth = c->options & ANYTHING ? NULL : how_deep,
		.data = &table,
	};
	struct code_function f;
	int before = check_failures;

	table.n = read_bytes(c->table, table.bytes);
	code_function_decode(&f, &question);
	put_function(&text, &f);
	CHECK_STR(buffer_text(&text), c->expected);
	CHECK_INT(f.returns_plainly, only_returns(&f));
	if (check_failures != before)
		printf("  at %s\n", c->name);
	code_function_deinit(&f);
}

#define CHECK_FUNCTIONS(machine, cases)                           \
	do {                                                      \
		for (size_t i_ = 0; i_ < ARRAY_SIZE(cases); i_++) \
			check_function(machine, &(cases)[i_]);    \
	} while (0)
