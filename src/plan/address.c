// SPDX-License-Identifier: Apache-2.0
/*
 * Aliases, identical functions folded into one, and constructors that serve two purposes all give
 * one address several names. Which of them a probe's patterns select is one thing; what else the
 * address is called decides whether it is excluded, and is told to people.
 *
 * A linker that folds functions can give one address thousands of names, and a hostile file any
 * number. All are asked about exclusion; MAX_NAMES are kept.
 */
#include "plan/address.h"

#include <string.h>

#include "plan/exclude.h"
#include "plan/name.h"
#include "plan/select.h"

enum { MAX_NAMES = 64 };

static size_t hash(const struct addresses *t, uint64_t address)
{
	return (size_t)(address * 0x9e3779b97f4a7c15 >> 32) % (ARRAY_SIZE(t->seen) * 64);
}

void addresses_deinit(struct addresses *t)
{
	HASH_CLEAR(hh, t->entries);
}

struct address *address_find(const struct addresses *t, uint64_t address)
{
	size_t bit = hash(t, address);
	struct address *entry;

	if (!(t->seen[bit / 64] >> bit % 64 & 1))
		return NULL;
	HASH_FIND(hh, t->entries, &address, sizeof(address), entry);
	return entry;
}

static struct address *add(struct addresses *t, uint64_t address, struct arena *a)
{
	struct address *entry = arena_alloc(a, sizeof(*entry));
	size_t bit = hash(t, address);

	entry->address = address;
	HASH_ADD(hh, t->entries, address, sizeof(address), entry);
	t->seen[bit / 64] |= 1ull << bit % 64;
	return entry;
}

static struct address_user *find_user(
	const struct address *entry, const struct selection *selection)
{
	for (struct address_user *u = entry->users; u; u = u->next)
		if (u->selection == selection)
			return u;
	return NULL;
}

struct address *address_want(
	struct addresses *t, uint64_t address, const struct selection *selection, struct arena *a)
{
	struct address *entry = address_find(t, address);
	struct address_user *user;

	if (!entry)
		entry = add(t, address, a);
	if (find_user(entry, selection))
		return entry;
	user = arena_alloc(a, sizeof(*user));
	*user = (struct address_user){.selection = selection, .next = entry->users};
	entry->users = user;
	return entry;
}

static bool has_name(const struct address *entry, const char *name)
{
	for (size_t i = 0; i < entry->n_names; i++)
		if (!strcmp(entry->names[i], name))
			return true;
	return false;
}

static void keep_name(struct address *entry, const char *name, struct arena *a)
{
	if (entry->n_names == entry->capacity) {
		size_t capacity = entry->capacity ? entry->capacity * 2 : 2;
		const char **names = arena_array(a, capacity, sizeof(const char *));

		if (entry->n_names)
			memcpy(names, entry->names, entry->n_names * sizeof(const char *));
		entry->names = names;
		entry->capacity = capacity;
	}
	entry->names[entry->n_names++] = arena_strdup(a, name);
}

void address_add_name(
	struct address *entry, const struct elf_symbol *s, struct forms *f, struct arena *a)
{
	const char *name;

	for (struct address_user *u = entry->users; u; u = u->next)
		if (!u->is_excluded)
			u->is_excluded =
				excludes(&u->selection->probe->config->exclude, s->name, f);
	if (entry->n_names == MAX_NAMES) {
		entry->n_unnamed++;
		return;
	}
	name = name_with_version(s->name, s->version, s->is_default_version, a);
	if (!has_name(entry, name))
		keep_name(entry, name, a);
}

bool address_is_excluded(const struct address *entry, const struct selection *selection)
{
	return find_user(entry, selection)->is_excluded;
}
