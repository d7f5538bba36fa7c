// SPDX-License-Identifier: Apache-2.0
/*
 * A name that was missed by a slip is near in edits; or its last part is, behind
 * namespace and class. Slips come first, then names that hold the wanted one, short before long.
 * Counting edits is dear, so that it is left to names that begin and end alike; and so is making
 * names readable, which is left to those that have a word like the wanted one's.
 */
#include "plan/hint.h"

#include <ctype.h>
#include <string.h>

#include "base/nearest.h"
#include "elf/demangle.h"

enum { SCORE_OF_PART = 100, SCORE_OF_HOLDING = 1000, SHORTEST_HELD = 4 };

static bool is_same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Whether most of the two is the same at their beginnings and ends: as after a slip. */
static bool share_their_ends(const char *a, size_t n_a, const char *b, size_t n_b)
{
	size_t n = n_a < n_b ? n_a : n_b, head = 0, tail = 0;

	while (head < n && is_same(a[head], b[head]))
		head++;
	while (head + tail < n && is_same(a[n_a - tail - 1], b[n_b - tail - 1]))
		tail++;
	return head + tail >= (n_a + 1) / 2;
}

/* SIZE_MAX: too many. */
static size_t edits(const char *wanted, const char *name)
{
	struct nearest n = nearest_to(wanted);

	if (share_their_ends(wanted, n.length, name, strlen(name)))
		nearest_offer(&n, name);
	return n.best ? n.distance : SIZE_MAX;
}

/* What a name is within its namespace and class; a Go method with its type, as people write it. */
static const char *last_part(const char *name)
{
	const char *last = name, *of_type = strstr(name, ".(*");
	int depth = 0;

	if (of_type)
		return of_type + 1;
	for (; *name; name++) {
		depth += strchr("<([{", *name) != NULL;
		depth -= strchr(">)]}", *name) != NULL;
		if (!depth && name[0] == ':' && name[1] == ':')
			last = name + 2;
	}
	return last;
}

/* How unlike the names are; SIZE_MAX: too much. */
static size_t score(const char *wanted, const char *name)
{
	size_t n_wanted = strlen(wanted), n_name = strlen(name), n = edits(wanted, name);
	const char *part = last_part(name);

	if (n == SIZE_MAX && part != name) {
		n = edits(last_part(wanted), part);
		if (n != SIZE_MAX)
			return SCORE_OF_PART + n;
	}
	if (n != SIZE_MAX)
		return n;
	if (n_wanted >= SHORTEST_HELD && memmem(name, n_name, wanted, n_wanted))
		return SCORE_OF_HOLDING + n_name;
	return SIZE_MAX;
}

static bool is_akin(struct word w, void *data)
{
	const struct word *wanted = data;

	return w.n <= 2 * wanted->n && wanted->n <= 2 * w.n &&
	       share_their_ends(wanted->text, wanted->n, w.text, w.n);
}

bool hints_are_akin(const struct hints *h, const char *mangled)
{
	return h->word.n && words_of_mangled(mangled, is_akin, (void *)&h->word);
}

static bool is_near_already(const struct hints *h, const char *name)
{
	for (size_t i = 0; i < h->n_near; i++)
		if (!strcmp(h->near[i], name))
			return true;
	return false;
}

/* The length without parameters at the end, and what is behind them. */
static size_t size_of_bare(const char *name)
{
	const char *end = strrchr(name, ')');
	size_t depth = 0;

	if (!end || (end[1] && end[1] != ' '))
		return strlen(name);
	for (const char *c = end; c > name; c--) {
		depth += *c == ')';
		if (*c == '(' && !--depth)
			return (size_t)(c - name);
	}
	return strlen(name);
}

void hints_init(struct hints *h, const char *wanted, struct arena *a)
{
	*h = (struct hints){};
	if (!wanted)
		return;
	h->wanted = arena_strndup(a, wanted, size_of_bare(wanted));
	h->is_mangled = is_mangled(wanted);
	h->word = word_of_name(h->wanted);
}

void hints_consider_near(struct hints *h, const char *name, struct arena *a)
{
	size_t value = score(h->wanted, name), i;

	if (value == SIZE_MAX || (h->n_near == HINTS_NEAR && value >= h->scores[HINTS_NEAR - 1]))
		return;
	if (is_near_already(h, name))
		return;
	if (h->n_near < HINTS_NEAR)
		h->n_near++;
	for (i = h->n_near - 1; i && h->scores[i - 1] > value; i--) {
		h->scores[i] = h->scores[i - 1];
		h->near[i] = h->near[i - 1];
	}
	h->scores[i] = value;
	h->near[i] = arena_strdup(a, name);
}

static void add_once(struct listing *l, const char *name, struct arena *a)
{
	if (!listing_has(l, name))
		listing_add(l, l->n < LISTING_SHOWN ? arena_strdup(a, name) : NULL);
}

static const char *without_underscores(const char *name)
{
	return name + strspn(name, "_");
}

/* Whether name holds word as a word of its own, and not just that. */
static bool holds_word(const char *name, const char *word, size_t n)
{
	for (const char *at = name; (at = strstr(at, word)); at++) {
		bool begins = at == name || at[-1] == '_' || at[-1] == '.';
		bool ends = !at[n] || at[n] == '_' || at[n] == '.';

		if (begins && ends)
			return at != name || at[n];
	}
	return false;
}

/* __memcpy_avx_unaligned, sse2_memcpy or memcpy.arch_haswell for memcpy; not memcpy.resolver, as
 * compilers call what picks one of their clones. */
static bool is_implementation(const char *wanted, const char *name)
{
	const char *core = without_underscores(wanted);
	size_t n = strlen(core);

	name = without_underscores(name);
	return n && holds_word(name, core, n) && !strstr(name, "resolve");
}

void hints_consider_implementation(struct hints *h, const char *name, struct arena *a)
{
	if (is_implementation(h->wanted, name))
		add_once(&h->implementations, name, a);
}

void hints_add_clone(struct hints *h, const char *name, struct arena *a)
{
	add_once(&h->clones, name, a);
}
