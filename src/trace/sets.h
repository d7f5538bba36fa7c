/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The label sets that calls of a probe have brought along, as they are at one moment. Reading them
 * is plain loads from the banks' directories.
 */
#pragma once

#include "trace/bank.h"

/* One that counts in a slot of its own. */
struct label_set_slot {
	uint32_t scope; /* the slot of the series that it belongs to */
	uint32_t slot;
	const struct bank *bank;
	/* In the bank's directory: the labels known at the entry, and (or NULL) those at the
	 * return. */
	const struct label_key *entry, *exit;
};

/* {} is a valid empty one; reading again uses its memory again. */
struct sets {
	/* By scope. Those that count calls, and those that have calls under way: the same but where
	 * labels are known at the return alone. */
	struct label_set_slot *counting, *under_way;
	size_t n_counting, n_under_way, capacity;
	const struct bank **banks;
	size_t n_banks;
};

/* Adds those of a bank. */
void sets_add(struct sets *s, const struct bank *b);

/* Whether a bank was added. */
bool sets_has(const struct sets *s, const struct bank *b);

/* To be called when all are added. */
void sets_sort(struct sets *s);
void sets_clear(struct sets *s);
void sets_deinit(struct sets *s);

/* The first of n sets, sorted, with that scope, and how many there are. */
const struct label_set_slot *sets_of(
	const struct label_set_slot *sets, size_t n, uint32_t scope, size_t *n_found);

/* Writes the whole key of a set to out, which has room for the bank's key_bytes. */
void set_put_key(const struct label_set_slot *set, struct label_key *out);
