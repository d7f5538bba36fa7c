// SPDX-License-Identifier: Apache-2.0
#include "plan/sieve.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plan/word.h"

void sieve_deinit(struct sieve *s)
{
	free(s->hashes);
}

static size_t told(const struct word *w)
{
	return w->n < SIEVE_LONGEST ? w->n : SIEVE_LONGEST;
}

/* FNV-1a; never 0. */
static uint64_t hash(const struct word *w)
{
	uint64_t h = 0xcbf29ce484222325;

	for (size_t i = 0; i < told(w); i++)
		h = (h ^ (unsigned char)w->text[i]) * 0x100000001b3;
	return h ? h : 1;
}

/* The place that has the hash, or an empty one. */
static size_t find(const struct sieve *s, uint64_t h)
{
	size_t at = (size_t)(h >> 20) & (s->n_places - 1);

	while (s->hashes[at] && s->hashes[at] != h)
		at = (at + 1) & (s->n_places - 1);
	return at;
}

static void put(struct sieve *s, uint64_t h)
{
	size_t at = find(s, h);

	s->n += !s->hashes[at];
	s->hashes[at] = h;
}

static void grow(struct sieve *s)
{
	struct sieve larger = *s;

	larger.n_places = s->n_places ? 2 * s->n_places : 64;
	larger.hashes = memory_alloc(larger.n_places * sizeof(*larger.hashes));
	larger.n = 0;
	for (size_t i = 0; i < s->n_places; i++)
		if (s->hashes[i])
			put(&larger, s->hashes[i]);
	free(s->hashes);
	*s = larger;
}

void sieve_add(struct sieve *s, const char *name)
{
	struct word w = word_of_name(name);

	s->is_in_use = true;
	if (!w.n) {
		s->passes_all = true;
		return;
	}
	if (2 * s->n >= s->n_places)
		grow(s);
	s->lengths |= 1ull << (told(&w) - 1);
	put(s, hash(&w));
}

static bool has(struct word w, void *data)
{
	const struct sieve *s = data;

	return s->lengths >> (told(&w) - 1) & 1 && s->hashes[find(s, hash(&w))];
}

bool sieve_passes(const struct sieve *s, const char *mangled)
{
	if (s->passes_all || !s->n)
		return s->passes_all;
	return words_of_mangled(mangled, has, (void *)s);
}
