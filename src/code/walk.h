/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside the room: a function under the eye of function.c. Its parts are laid end to end, and a
 * position is an index into that row of bytes.
 *
 * walk_sweep() decodes the parts from their first byte on and notes where instructions begin and
 * which of them branches lead to. walk_follow() then follows the flow of control from the entry,
 * on these instructions only, with what is known of the registers.
 */
#pragma once

#include "code/function.h"
#include "code/step.h"

enum mark {
	MARK_START = 1 << 0,    /* an instruction begins here */
	MARK_REACHED = 1 << 1,  /* and the flow of control comes to it */
	MARK_BRANCHED = 1 << 2, /* by a branch, or from outside */
	MARK_ENDS = 1 << 3,     /* it may leave the function */
	MARK_PADDING = 1 << 4,
	MARK_NO_RETURN = 1 << 5, /* a call that doesn't come back */
};

/* A place to which branches lead, and what is known of the registers there. */
struct block {
	size_t at;
	size_t call; /* the call behind which it was first reached, plus one; or 0 */
	bool is_reached, is_pending;
};

/* A place where control may leave the function. */
struct end {
	size_t at;
	enum code_exit_kind kind;
	struct value stack;
	uint64_t target; /* of a direct jump */
	uint8_t condition;
	bool is_indexed; /* CODE_EXIT_INDIRECT: see STEP_IS_INDEXED */
};

struct walk {
	const struct code_question *question; /* borrowed */
	const struct stepper *stepper;
	size_t size;        /* of all parts together */
	uint8_t *marks;     /* enum mark, for each byte */
	uint32_t *block_at; /* for each byte: a block's index plus one, or 0 */
	struct block *blocks;
	struct value *states; /* for each block, the stepper's number of registers */
	size_t n_blocks, block_capacity;
	size_t *pending; /* blocks to follow from */
	size_t n_pending, pending_capacity;
	struct end *ends; /* in no order, one for a position */
	size_t n_ends;
	struct jump_tables tables;
	uint64_t *named; /* addresses of data that the code makes */
	size_t n_named, named_capacity;
	size_t n_instructions, budget;
	size_t n_restarts;  /* jumps and branches to the first instruction */
	unsigned traits;    /* of all that is reached, but STEP_CALLS: of all */
	bool is_stale;      /* something was learnt that changes what was followed before */
	const char *reason; /* why the exits can't be told, or NULL */
};

void walk_init(struct walk *w, const struct code_question *question, const struct stepper *stepper);
void walk_deinit(struct walk *w);

void walk_sweep(struct walk *w);
void walk_follow(struct walk *w);

/* The part of a position, and in *offset where in it. */
const struct code_part *walk_part(const struct walk *w, size_t at, size_t *offset);
uint64_t walk_address(const struct walk *w, size_t at);
/* The position of an instruction to which something leads; false outside of the parts. */
bool walk_find(const struct walk *w, uint64_t address, size_t *at);
/* Marks a position as branched to; its block's index. The entry's is 0. */
size_t walk_add_block(struct walk *w, size_t at);
/* The first reason counts. */
void walk_give_up(struct walk *w, const char *reason);

/* The positions that a table leads to: appended to *out (owned, *n of them). False where that
 * can't be told for all of them. */
bool table_read(struct walk *w, const struct jump_table *table, size_t **out, size_t *n);

/* The registers that carry the function's arguments. */
static inline uint32_t walk_arguments(const struct walk *w)
{
	return w->question->is_go ? w->stepper->go_arguments : w->stepper->arguments;
}
