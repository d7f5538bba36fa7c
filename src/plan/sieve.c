// SPDX-License-Identifier: Apache-2.0
#include "plan/sieve.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plan/word.h"

struct sieve_word {
	uint64_t hash; /* 0: none */
	uint64_t bit;
	bool is_last; /* of some name: the one that is asked for when there are many */
};

void sieve_deinit(struct sieve *s)
{
	free(s->words);
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

/* The place of the hash, or an empty one. */
static struct sieve_word *find(const struct sieve *s, uint64_t h)
{
	size_t at = (size_t)(h >> 20) & (s->n_places - 1);

	while (s->words[at].hash && s->words[at].hash != h)
		at = (at + 1) & (s->n_places - 1);
	return &s->words[at];
}

static void grow(struct sieve *s)
{
	struct sieve larger = *s;

	larger.n_places = s->n_places ? 2 * s->n_places : 64;
	larger.words = memory_alloc(larger.n_places * sizeof(*larger.words));
	for (size_t i = 0; i < s->n_places; i++)
		if (s->words[i].hash)
			*find(&larger, s->words[i].hash) = s->words[i];
	free(s->words);
	*s = larger;
}

static struct sieve_word *put(struct sieve *s, const struct word *w)
{
	struct sieve_word *place;

	if (2 * s->n_words >= s->n_places)
		grow(s);
	place = find(s, hash(w));
	if (!place->hash)
		*place = (struct sieve_word){
			.hash = hash(w), .bit = 1ull << s->n_words++ % SIEVE_FEW};
	s->lengths |= 1ull << (told(w) - 1);
	return place;
}

struct adding {
	struct sieve *sieve;
	uint64_t need;
	struct pairs pairs;
};

static bool add_word(struct word w, void *data)
{
	struct adding *a = data;

	a->need |= put(a->sieve, &w)->bit;
	pairs_add(&a->pairs, w.text, w.n);
	return false;
}

void sieve_add(struct sieve *s, const char *name)
{
	struct adding a = {.sieve = s};
	struct word last = word_of_name(name);

	words_of_name(name, add_word, &a);
	if (last.n)
		put(s, &last)->is_last = true;
	else
		s->passes_all = true;
	if (s->n_names < SIEVE_FEW) {
		s->needs[s->n_names] = a.need;
		s->pairs[s->n_names] = a.pairs;
	}
	s->n_names++;
}

struct looking {
	const struct sieve *sieve;
	uint64_t found;
	bool has_last;
};

static bool look_up(struct word w, void *data)
{
	struct looking *l = data;
	const struct sieve_word *place;

	if (!(l->sieve->lengths >> (told(&w) - 1) & 1))
		return false;
	place = find(l->sieve, hash(&w));
	l->found |= place->bit;
	l->has_last |= place->is_last;
	return l->has_last && l->sieve->n_names > SIEVE_FEW;
}

/* Whether it can have the words of one of a few names; cheaper than to look for them. */
static bool may_pass(const struct sieve *s, const struct subject *mangled)
{
	for (size_t i = 0; i < s->n_names; i++)
		if (pairs_hold(&mangled->pairs, &s->pairs[i]))
			return true;
	return false;
}

bool sieve_passes(const struct sieve *s, const struct subject *mangled)
{
	struct looking l = {.sieve = s};
	bool has_few = s->n_names <= SIEVE_FEW;

	if (s->passes_all || !s->n_words)
		return s->passes_all;
	if (has_few && !may_pass(s, mangled))
		return false;
	words_of_mangled(mangled->name, look_up, &l);
	if (!l.has_last || !has_few)
		return l.has_last;
	for (size_t i = 0; i < s->n_names; i++)
		if (!(s->needs[i] & ~l.found))
			return true;
	return false;
}
