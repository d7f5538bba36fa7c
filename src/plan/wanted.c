// SPDX-License-Identifier: Apache-2.0
/*
 * However many names are wanted, a symbol costs the same: each of its forms is looked up in one
 * table. To demangle a million symbols takes seconds, which is more than a plan may; so a sieve
 * says first whether it is worth it.
 */
#include "plan/wanted.h"

#include <string.h>
#include <uthash.h>

#include "plan/request.h"
#include "plan/spelling.h"

struct wanted_entry {
	const char *spelling;
	struct request *requests; /* linked by next_of_name */
	UT_hash_handle hh;
};

struct meeting {
	struct wanted *wanted;
	wanted_visit *visit;
	void *data;
};

void wanted_deinit(struct wanted *w)
{
	HASH_CLEAR(hh, w->entries);
	sieve_deinit(&w->sieve);
	forms_deinit(&w->forms);
}

void wanted_add(struct wanted *w, struct request *r)
{
	struct wanted_entry *entry;
	const char *spelling = spelling_of(r->wanted.name, &w->forms.spelling);

	HASH_FIND_STR(w->entries, spelling, entry);
	if (!entry) {
		entry = arena_alloc(w->arena, sizeof(*entry));
		entry->spelling = arena_strdup(w->arena, spelling);
		HASH_ADD_KEYPTR(hh, w->entries, entry->spelling, strlen(spelling), entry);
		sieve_add(&w->sieve, spelling);
		w->has_mangled |= is_mangled(spelling);
	}
	r->next_of_name = entry->requests;
	entry->requests = r;
}

static void meet_form(const char *spelling, unsigned fit, void *data)
{
	const struct meeting *m = data;
	struct wanted_entry *entry;

	HASH_FIND_STR(m->wanted->entries, spelling, entry);
	for (struct request *r = entry ? entry->requests : NULL; r; r = r->next_of_name) {
		if (r->met == m->wanted->n_met)
			continue;
		r->met = m->wanted->n_met;
		m->visit(r, fit, m->data);
	}
}

void wanted_meet(struct wanted *w, const struct subject *symbol, wanted_visit *visit, void *data)
{
	struct meeting m = {w, visit, data};
	const char *name = symbol->name;
	bool is_readable = is_mangled(name) && sieve_passes(&w->sieve, symbol);

	w->n_met++;
	if (is_readable || strpbrk(name, ".[ "))
		forms_visit(&w->forms, name, is_readable, meet_form, &m);
	else if (!is_mangled(name) || w->has_mangled)
		meet_form(name, FIT_SYMBOL, &m);
}
