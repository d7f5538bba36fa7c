/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading a scalar that has a grammar of its own, from left to right. What is wrong is reported at
 * the very character, where the scalar stands in the file as it reads.
 */
#pragma once

#include "config/fields.h"

struct scan {
	struct reader *reader;
	const char *key; /* for messages */
	const struct node *node;
	const char *text, *at;
};

/* A whole number: a sign, and up to 64 bits. */
struct integer {
	bool is_negative;
	uint64_t magnitude;
};

struct scan scan_of(struct reader *r, const char *key, const struct node *node);

/* Reports a mistake at `at`, which lies in the text, and is false. */
bool scan_fail(const struct scan *s, const char *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Passes blanks. */
void scan_blanks(struct scan *s);

/* Passes text if it comes next. */
bool scan_text(struct scan *s, const char *text);

/* Takes letters, digits and _, as many as there are; "" where none comes next. In the
 * configuration's arena. */
const char *scan_word(struct scan *s);

/* Takes digits, or 0x and hexadecimal ones, behind an optional minus; false (reported) where there
 * are none, or too many. */
bool scan_integer(struct scan *s, struct integer *out);

/* Reports what is left, if anything; whether nothing is. */
bool scan_end(struct scan *s);

/* The index of word among n names, or n. */
size_t scan_find(const char *word, const char *const *names, size_t n);

/* The names, and which of them the word may have been meant for: "a, b or c; did you mean `b`?" In
 * the errors' arena. */
const char *scan_choices(
	const struct scan *s, const char *word, const char *const *names, size_t n);
