/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words that a readable name shares with its mangled one: a name that lacks a word of a pattern
 * needn't be demangled to know that the pattern doesn't match it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct word {
	const char *text; /* borrowed */
	size_t n;         /* 0: none */
};

/* Visits the words of a name as a person writes it that every mangled name of it has. Until a visit
 * returns true. */
typedef bool word_visit(struct word w, void *data);
bool words_of_name(const char *name, word_visit *visit, void *data);

/* The last of them, if possible one of the function itself and not of its parameters. */
struct word word_of_name(const char *name);

/* The longest word of that kind in a part of a name, n bytes of text. Where the part is cut off, so
 * may be a word at that end. */
struct word word_of_part(const char *text, size_t n, bool is_cut_before, bool is_cut_behind);

/* Calls visit for each text in a mangled name that may be an identifier of its; some are none.
 * Until a visit returns true, which is the result. */
bool words_of_mangled(const char *mangled, word_visit *visit, void *data);
