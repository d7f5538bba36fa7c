/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which mangled names are worth demangling when some plain names are wanted, however many: those
 * that have the telling word of one of them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIEVE_LONGEST = 64 }; /* words are told by their first so many bytes */

struct sieve {
	uint64_t *hashes; /* of words, 0 where there is none; n_places is a power of two */
	size_t n_places, n;
	uint64_t lengths; /* a bit for each length that a word has */
	bool passes_all;  /* a name without such a word is wanted */
	bool is_in_use;
};

/* {} is a valid sieve, which lets nothing pass. */
void sieve_deinit(struct sieve *s);
void sieve_add(struct sieve *s, const char *name);
bool sieve_passes(const struct sieve *s, const char *mangled);
