/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside the room: one instruction at a time, as function.c and its helpers see it whatever the
 * machine: where control goes, and what is known of the registers behind it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code/code.h"

enum { STEP_MOST_REGISTERS = 32, STEP_NO_CONDITION = 0xff };

/* What is known of a register. */
enum value_kind {
	VALUE_UNKNOWN,
	VALUE_STACK,        /* the stack pointer at entry, plus number */
	VALUE_FRAME,        /* somewhere on the same stack */
	VALUE_SOME_FRAME,   /* the same, but other ways to a place know where */
	VALUE_SPILLED,      /* read from the function's own frame */
	VALUE_ADDRESS,      /* number */
	VALUE_BOUNDED_BYTE, /* the low 8 bits are at most number */
	VALUE_BOUNDED_WORD, /* the low 16 */
	VALUE_BOUNDED_LONG, /* the low 32 */
	VALUE_BOUNDED,      /* all of it, as a comparison says */
	VALUE_LIMITED,      /* all of it, by its size alone */
	VALUE_RETURN,       /* the return address, where a register carries it */
	VALUE_ENTRY,        /* an entry of the jump table of that number */
	VALUE_TARGET,       /* the address that such an entry leads to */
};

struct value {
	int64_t number : 59;
	uint64_t kind : 5; /* enum value_kind */
};

_Static_assert(sizeof(struct value) == sizeof(uint64_t), "states are compared and copied a lot");

/* A table of distances or addresses that a jump goes by. */
struct jump_table {
	uint64_t loaded_at; /* the instruction that reads it: the table's identity */
	uint64_t address;
	uint64_t base; /* entries are added to it */

	uint32_t most_entries;
	uint8_t entry_size, shift;
	bool is_signed;
	bool is_exact; /* most_entries is how many there are */
};

struct jump_tables {
	struct jump_table *tables; /* owned */
	size_t n;
};

/* The last comparison with a constant: what a branch on "above" says of the register. */
struct comparison {
	uint8_t reg, kind; /* kind: VALUE_BOUNDED..., or VALUE_UNKNOWN for none */
	int64_t limit;
};

struct registers {
	struct value values[STEP_MOST_REGISTERS];
};

struct state {
	struct registers registers;
	struct comparison comparison;
	struct jump_tables *tables; /* borrowed; or NULL: none are followed */
};

enum flow {
	FLOW_ON,
	FLOW_JUMP,
	FLOW_BRANCH, /* a jump that may not be taken */
	FLOW_CALL,
	FLOW_RETURN,
	FLOW_INDIRECT, /* a jump to where a register or memory says */
	FLOW_STOP,     /* always faults */
	FLOW_ODD,      /* goes elsewhere in a way that is not followed */
};

enum step_trait {
	STEP_IS_PADDING = 1 << 0,
	STEP_CALLS = 1 << 1,      /* a function or the system */
	STEP_IS_INDEXED = 1 << 2, /* FLOW_INDIRECT: picks one of a row of pointers */
	STEP_NAMES_DATA = 1 << 6, /* makes the address target */
	/* With a state: */
	STEP_TOUCHES_RETURN = 1 << 3, /* reads the return address */
	STEP_CHANGES_RETURN = 1 << 4, /* replaces it: a return goes elsewhere */
	STEP_SWITCHES_STACK = 1 << 5,
};

/* What is lost when a site is moved over an instruction. */
enum hazard {
	HAZARD_STORES = 1 << 0,      /* writes memory, or may */
	HAZARD_IS_ODD = 1 << 1,      /* does more than compute */
	HAZARD_USES_RETURN = 1 << 2, /* copies the return address, where a register holds it */
};

struct step {
	uint8_t size;
	uint8_t flow;      /* enum flow */
	uint8_t condition; /* FLOW_BRANCH: the flags' condition, or STEP_NO_CONDITION */
	unsigned traits;   /* enum step_trait */
	uint64_t target;   /* of a direct jump, branch or call, or see STEP_NAMES_DATA */
	/* With a state: the registers written, a bit each; but not those that a callee changes. */
	uint32_t written;
	struct value through; /* FLOW_INDIRECT: where it goes, as far as known */
	/* FLOW_BRANCH: what is known of a register on one of the two ways; UNKNOWN: nothing more */
	struct value bound;
	uint8_t bound_register;
	bool bound_if_taken;
};

/* Takes the instruction at the start of bytes (n of them), which lies at address. state, unless
 * NULL, is carried on to behind it (a branch: not taken). false for what is no instruction. */
typedef bool step_take(
	const uint8_t *bytes, size_t n, uint64_t address, struct state *state, struct step *out);

struct stepper {
	step_take *take;
	/* enum hazard of an instruction that can be taken. */
	unsigned (*hazards)(const uint8_t *bytes, size_t n);
	uint8_t n_registers, stack_register, frame_register;
	uint8_t goroutine_register; /* which holds the current one in Go's code */
	uint8_t skipped_prefix;     /* one that code may jump over; 0: none */
	uint32_t arguments;         /* the registers that carry them */
	uint32_t go_arguments;      /* by Go's own convention */
	uint32_t link;              /* the register that carries the return address, if one does */
};

/* NULL for a machine that is not known. */
const struct stepper *stepper_find(enum elf_machine machine);

extern const struct stepper x86_stepper, arm64_stepper;

static inline bool value_is_on_stack(struct value v)
{
	return v.kind >= VALUE_STACK && v.kind <= VALUE_SOME_FRAME;
}

static inline struct value value_of(enum value_kind kind, int64_t number)
{
	return (struct value){.number = number, .kind = kind};
}

/* Makes reg unknown, and forgets a comparison with it. */
static inline void state_forget(struct state *s, unsigned reg)
{
	s->registers.values[reg] = (struct value){};
	if (s->comparison.reg == reg)
		s->comparison.kind = VALUE_UNKNOWN;
}

static inline void state_forget_all(struct state *s, uint32_t registers)
{
	for (; registers; registers &= registers - 1)
		state_forget(s, (unsigned)__builtin_ctz(registers));
}
/* Notes a table, and returns the value of an entry read from it. */
struct value state_enter_table(struct state *s, const struct jump_table *table);
/* entry + base, where they are a table's entry and an address; else unknown. */
struct value state_resolve(struct state *s, struct value entry, struct value base, unsigned shift);
/* Sets how many entries a table has of which index picks one. */
void table_bound(struct jump_table *table, struct value index);

static inline bool value_is_within(struct value v, int64_t most)
{
	return (v.kind == VALUE_BOUNDED || v.kind == VALUE_LIMITED) && v.number <= most;
}
