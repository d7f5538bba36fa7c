// SPDX-License-Identifier: Apache-2.0
/*
 * fnmatch() and regexec() take up to a microsecond for a name, which a million symbols times twenty
 * patterns can't afford. Nearly every pattern has some text in it that stands for itself and must
 * be in the name. Whether it can be there is told from the pairs of characters in the name, which
 * are noted once for all patterns.
 */
#include "plan/matcher.h"

#include <string.h>

#include "plan/literal.h"
#include "plan/word.h"

static const char *keep(const struct buffer *run, size_t *n, struct arena *a)
{
	*n = run->size;
	return arena_strndup(a, buffer_text(run), run->size);
}

static struct word longer(struct word a, struct word b)
{
	return b.n > a.n ? b : a;
}

/* What surrounds the literals is not known: their words may be cut off there. */
static void choose_word(struct matcher *m, struct arena *a)
{
	struct word w = word_of_part(m->head, m->n_head, false, true);

	w = longer(w, word_of_part(m->tail, m->n_tail, true, false));
	w = longer(w, word_of_part(m->inner, m->n_inner, true, true));
	m->word = arena_strndup(a, w.n ? w.text : "", w.n);
	pairs_add(&m->word_pairs, m->word, w.n);
}

void matcher_init(struct matcher *m, const struct pattern *p, struct arena *a)
{
	_cleanup_(literals_deinit) struct literals l = {};

	literals_init(&l, p);
	*m = (struct matcher){.pattern = p};
	m->head = keep(&l.head, &m->n_head, a);
	m->tail = keep(&l.tail, &m->n_tail, a);
	m->inner = keep(&l.inner, &m->n_inner, a);
	pairs_add(&m->pairs, m->head, m->n_head);
	pairs_add(&m->pairs, m->tail, m->n_tail);
	pairs_add(&m->pairs, m->inner, m->n_inner);
	choose_word(m, a);
}

void subject_init(struct subject *s, const char *name)
{
	*s = (struct subject){.name = name, .n = strlen(name)};
	pairs_add(&s->pairs, s->name, s->n);
}

bool matcher_matches(const struct matcher *m, const struct subject *s)
{
	if (s->n < m->n_head || s->n < m->n_tail || !pairs_hold(&s->pairs, &m->pairs))
		return false;
	if (memcmp(s->name, m->head, m->n_head) != 0)
		return false;
	if (memcmp(s->name + s->n - m->n_tail, m->tail, m->n_tail) != 0)
		return false;
	if (m->n_inner && !memmem(s->name, s->n, m->inner, m->n_inner))
		return false;
	return pattern_matches(m->pattern, s->name);
}

bool matcher_may_match_readable(const struct matcher *m, const struct subject *mangled)
{
	return pairs_hold(&mangled->pairs, &m->word_pairs) && strstr(mangled->name, m->word);
}
