// SPDX-License-Identifier: Apache-2.0
/*
 * Where labels are known at the return alone, a set of them extends one of those that are known at
 * the entry: its scope is the slot of that one, whose own scope is the series.
 */
#include "trace/sets.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void sets_clear(struct sets *s)
{
	s->n_counting = s->n_under_way = s->n_banks = 0;
}

void sets_deinit(struct sets *s)
{
	free(s->counting);
	free(s->under_way);
	free(s->banks);
	*s = (struct sets){};
}

static void reserve(struct sets *s, size_t n)
{
	if (n <= s->capacity)
		return;
	s->counting = memory_grow(s->counting, n, sizeof(*s->counting));
	s->under_way = memory_grow(s->under_way, n, sizeof(*s->under_way));
	s->capacity = n;
}

static bool is_dynamic(const struct bank *b, uint32_t slot)
{
	return slot >= bank_first_dynamic(b) && slot < b->base_slot + b->n_slots;
}

/* The set in a slot; false where there is none. */
static bool read_set(struct label_set_slot *out, const struct bank *b, uint32_t slot)
{
	const struct label_key *key = bank_key(b, slot);

	if (!key)
		return false;
	*out = (struct label_set_slot){.scope = key->scope, .slot = slot, .bank = b, .entry = key};
	if (!is_dynamic(b, key->scope))
		return true;
	out->exit = key;
	out->entry = bank_key(b, key->scope);
	if (!out->entry)
		return false;
	out->scope = out->entry->scope;
	return true;
}

/* Whether a set counts calls that have ended, where those are all that count. */
static bool is_complete(const struct bank *b, const struct label_set_slot *set)
{
	return !b->carry.has_return_labels || !b->carry.has_entry_labels || set->exit;
}

bool sets_has(const struct sets *s, const struct bank *b)
{
	for (size_t i = 0; i < s->n_banks; i++)
		if (s->banks[i] == b)
			return true;
	return false;
}

void sets_add(struct sets *s, const struct bank *b)
{
	struct label_set_slot set;

	s->banks = memory_grow(s->banks, s->n_banks + 1, sizeof(*s->banks));
	s->banks[s->n_banks++] = b;
	reserve(s, s->n_counting + s->n_under_way + b->n_dynamic);
	for (uint32_t i = 0; i < b->n_dynamic; i++) {
		if (!read_set(&set, b, bank_first_dynamic(b) + i))
			continue;
		if (is_complete(b, &set))
			s->counting[s->n_counting++] = set;
		if (b->carry.is_late && b->carry.has_entry_labels && !set.exit)
			s->under_way[s->n_under_way++] = set;
	}
}

static int compare_scopes(const void *a, const void *b)
{
	const struct label_set_slot *x = a, *y = b;

	if (x->scope != y->scope)
		return x->scope < y->scope ? -1 : 1;
	return x->slot < y->slot ? -1 : x->slot > y->slot;
}

void sets_sort(struct sets *s)
{
	if (s->n_counting)
		qsort(s->counting, s->n_counting, sizeof(*s->counting), compare_scopes);
	if (s->n_under_way)
		qsort(s->under_way, s->n_under_way, sizeof(*s->under_way), compare_scopes);
}

const struct label_set_slot *sets_of(
	const struct label_set_slot *sets, size_t n, uint32_t scope, size_t *n_found)
{
	size_t low = 0, high = n, end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (sets[middle].scope < scope)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < n && sets[end].scope == scope;)
		end++;
	*n_found = end - low;
	return sets + low;
}

/* What a key lacks is zero in it. */
void set_put_key(const struct label_set_slot *set, struct label_key *out)
{
	size_t n = set->bank->carry.key_bytes / sizeof(uint64_t);
	const uint64_t *more = (const uint64_t *)set->exit;
	uint64_t *words = (uint64_t *)out;

	memcpy(out, set->entry, set->bank->carry.key_bytes);
	for (size_t i = 1; more && i < n; i++)
		words[i] |= more[i];
}
