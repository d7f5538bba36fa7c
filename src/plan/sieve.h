/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which mangled names are worth to be made readable when some plain names are wanted, however many:
 * of a few, those that have all the telling words of one of them; of many, those that have a word
 * of one.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/pairs.h"

enum { SIEVE_LONGEST = 64 }; /* words are told by their first so many bytes */
enum { SIEVE_FEW = 64 };     /* names; and bits of a set of words */

struct sieve_word;

struct sieve {
	struct sieve_word *words; /* by hash; n_places is a power of two */
	size_t n_places, n_words;
	uint64_t lengths; /* a bit for each length that a word has */
	/* Of each name the words that it has, as bits, and the pairs in them. Words may share a
	 * bit. */
	uint64_t needs[SIEVE_FEW];
	struct pairs pairs[SIEVE_FEW];
	size_t n_names;
	bool passes_all; /* a name without such a word is wanted */
};

/* {} is a valid sieve, which lets nothing pass. */
void sieve_deinit(struct sieve *s);
void sieve_add(struct sieve *s, const char *name);
bool sieve_passes(const struct sieve *s, const struct subject *mangled);
