/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often functions were inlined: the places in the code where a copy of the function stands in
 * place of a call. The tables of a Go program tell at once; of others it is debug information
 * (DWARF), where a reader finds it out, which takes seconds for large programs.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/reader.h"

struct elf_file;
struct go_table;

/* Of the functions that copies are in, how many are named, and the most bytes of a name. */
enum { INLINED_CALLERS_SHOWN = 3, INLINED_LONGEST_CALLER = 120 };

/* Of these functions; and of those that have one of the names, of which there may be nothing left
 * but copies: mangled, as people write it, or with its parameters. */
struct inlined_question {
	uint64_t *addresses; /* owned, as are the names; ascending */
	size_t n_addresses;
	char **names;
	size_t n_names;
};

void inlined_question_deinit(struct inlined_question *q);

/* Of one function. */
struct inlined {
	bool is_known; /* the tables, or debug information, have the function */
	uint32_t n_places;
	char *callers; /* "A, B, C, ...": where they are, the first few; or NULL. Owned */
};

/* The addresses' and behind them the names', in the question's order. */
struct inlined_answer {
	struct inlined *items;
	size_t n;
};

void inlined_answer_deinit(struct inlined_answer *a);

/* What the tables tell; is_known is false for what they leave open. -ENODATA: they don't tell. */
int inlined_by_go(
	struct inlined_answer *out, const struct go_table *table, const struct inlined_question *q);

/* Whether the file, or its debug file, has debug information. */
bool elf_file_has_dwarf(const struct elf_file *f);

/* Starts a reader that answers q, which must live as long as it does. -ENODATA: there is no debug
 * information. f is not needed any more when it returns. */
int inlined_ask(struct reader **out, const struct elf_file *f, const struct inlined_question *q,
	struct error *e);

/* What a reader that has ended has found out. -EBADMSG and a text where that makes no sense. */
int inlined_read(struct inlined_answer *out, const struct reader *r,
	const struct inlined_question *q, struct error *e);
