// SPDX-License-Identifier: Apache-2.0
/* Sites are told apart by their keys (identity.c), so a difference is two sets less each other. */
#include "plan/plan.h"

#include <string.h>
#include <uthash.h>

#include "base/memory.h"

struct entry {
	struct plan_site *site;
	bool is_in_both;
	UT_hash_handle hh;
};

/* The sites of a plan that are to exist. */
struct site_set {
	struct entry *entries;
	struct entry *table; /* uthash by key */
	size_t n;
};

static void site_set_deinit(struct site_set *s)
{
	HASH_CLEAR(hh, s->table);
	free(s->entries);
}

static void add_site(struct site_set *s, struct plan_site *site)
{
	struct entry *e = &s->entries[s->n++];

	e->site = site;
	HASH_ADD_KEYPTR(hh, s->table, site->key, strlen(site->key), e);
}

static void site_set_init(struct site_set *s, const struct plan *p)
{
	size_t n = 0;

	*s = (struct site_set){};
	for (size_t i = 0; p && i < p->n_probes; i++)
		n += p->probes[i].n_sites;
	s->entries = memory_alloc((n + 1) * sizeof(*s->entries));
	for (size_t i = 0; p && i < p->n_probes; i++)
		for (size_t k = 0; k < p->probes[i].n_sites; k++)
			if (!p->probes[i].sites[k]->refusal)
				add_site(s, p->probes[i].sites[k]);
}

static void mark_common(struct site_set *a, struct site_set *b)
{
	struct entry *other;

	for (size_t i = 0; i < a->n; i++) {
		HASH_FIND_STR(b->table, a->entries[i].site->key, other);
		if (other)
			a->entries[i].is_in_both = other->is_in_both = true;
	}
}

static struct plan_site **rest(const struct site_set *s, size_t *n)
{
	struct plan_site **sites = memory_alloc((s->n + 1) * sizeof(struct plan_site *));

	*n = 0;
	for (size_t i = 0; i < s->n; i++)
		if (!s->entries[i].is_in_both)
			sites[(*n)++] = s->entries[i].site;
	return sites;
}

void plan_difference_init(struct plan_difference *d, const struct plan *old, const struct plan *new)
{
	_cleanup_(site_set_deinit) struct site_set before, after;

	site_set_init(&before, old);
	site_set_init(&after, new);
	mark_common(&before, &after);
	d->removed = rest(&before, &d->n_removed);
	d->added = rest(&after, &d->n_added);
}

void plan_difference_deinit(struct plan_difference *d)
{
	free(d->removed);
	free(d->added);
	*d = (struct plan_difference){};
}
