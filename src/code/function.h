/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A whole function, decoded: the best place for its entry probe, every instruction at which a
 * call of it ends, and what else decides how it may be probed safely.
 *
 * Nothing here is a guess. What the code doesn't prove is said to be unknown, with a static text
 * as the reason, and no address is ever given that isn't the beginning of an instruction which
 * the flow of control reaches.
 */
#pragma once

#include <stdbool.h>

#include "base/cleanup.h"
#include "code/code.h"

/* Most exits that are told, and how deep the stack may be at an entry's site: in steps of 8. */
enum { CODE_MOST_EXITS = 256, CODE_MOST_DEPTH = 8 * UINT16_MAX };

/* What is known to begin somewhere. A table of frames has an entry for each function, but also for
 * parts of functions; a symbol, or a place in the table of imports, leaves no doubt. */
enum code_beginning { CODE_BEGINS_NOTHING, CODE_BEGINS_FRAME, CODE_BEGINS_FUNCTION };

/* A range of code. address is the virtual address of its first byte. */
struct code_part {
	uint64_t address;
	const uint8_t *bytes;
	size_t size;
};

struct code_question {
	enum elf_machine machine;
	/* The function, and behind it the parts of it that lie elsewhere (NAME.cold): a jump to
	 * one of them doesn't leave the function, and its exits are the function's. elsewhere, in
	 * the answer, leads to those that are jumped to; one in which there is nothing but landing
	 * pads is for the caller to know. The bytes are borrowed during the call. */
	const struct code_part *parts;
	size_t n_parts;
	/* Addresses inside at which control may come in otherwise: landing pads for exceptions,
	 * other symbols within the function. */
	const uint64_t *entries;
	size_t n_entries;
	bool reads_arguments; /* the probe reads them at the entry, or memory that they point to */
	bool allows_nop5;     /* as a site */
	bool allows_depth;    /* of the stack at the entry's site */
	bool probes_exits;    /* with sites, so that the entry's must not be one of them */
	/* Go's compiler or assembler made it. All that lies in it is its own code then, however
	 * control comes there, and it may begin anew when its stack has grown. */
	bool is_go;

	/* Reads n bytes of the file at an address, for jump tables. 0, or an error; or NULL. */
	int (*read)(void *data, uint64_t address, void *bytes, size_t n);
	/* What begins at an address outside; NULL where nothing is known: then anything may. */
	enum code_beginning (*begins)(void *data, uint64_t address);
	/* is_go: how many bytes the stack has moved when it comes to an instruction, by the file's
	 * own tables; negative: not known. */
	int64_t (*depth)(void *data, uint64_t address);
	void *data;
};

struct code_entry {
	size_t offset;          /* of the site, from the function's start */
	uint32_t depth;         /* how far the stack pointer is below the entry's there, bytes */
	struct code_site site;  /* there; its refusal holds for the function: it can't be probed */
	bool is_conditional;    /* a call has begun where condition holds, and otherwise not yet */
	uint8_t condition;      /* the instruction set's code, 0 to 15 */
	struct code_site first; /* at offset 0 */
	const char *held_back;  /* why the site is not a cheap one, or NULL */
};

enum code_exit_kind {
	CODE_EXIT_RETURN,
	CODE_EXIT_JUMP,        /* out of the function: a tail call */
	CODE_EXIT_CONDITIONAL, /* the same, but only where condition holds */
	CODE_EXIT_INDIRECT,    /* a tail call through a pointer */
};

struct code_exit {
	uint64_t address;
	uint64_t target; /* of a jump; 0: a pointer names it, or it is a return */
	enum code_exit_kind kind;
	uint8_t condition;   /* CODE_EXIT_CONDITIONAL: the instruction set's code, 0 to 15 */
	bool stack_is_known; /* by the code: the stack pointer there is what it was at entry */
	struct code_site site;
};

struct code_function {
	struct code_entry entry;
	struct code_exit *exits; /* by address, owned; none for a function that never returns */
	size_t n_exits;
	/* Of those the conditional ones: a site there fires whether or not the call ends, so that
	 * the exits are known only to who looks at the flags. */
	size_t n_conditional;
	const char *exits_unknown; /* why exits is not all there is (it is empty then); or NULL */
	/* Where the function seems to have another part that it jumps to, or 0. Who finds a range
	 * for it that is no function of its own may ask again, with that range as a part. */
	uint64_t elsewhere;
	/* All that it does is to jump there; 0: it does more. Its call would end where it begins.
	 */
	uint64_t leads_to;
	size_t n_instructions;
	bool calls;                  /* anything: a function, the system, a tail call; or may */
	bool returns_plainly;        /* exits are known, and all of them are returns */
	bool touches_return_address; /* reads or changes it where the call left it; or may */
	bool switches_stack;         /* takes its stack pointer from elsewhere */
	/* is_go: the register that holds the goroutine may hold anything when it is called. */
	bool looks_up_goroutine;
};

/* Whether an instruction begins at an offset in code, decoded one after the other from its first
 * byte on; what is none is skipped. */
bool code_begins_instruction(enum elf_machine machine, const struct code_part *code, size_t offset);

/* Never fails. */
void code_function_decode(struct code_function *out, const struct code_question *question);
void code_function_deinit(struct code_function *f);
