// SPDX-License-Identifier: Apache-2.0
#include "plan/symbols.h"

#include <string.h>

bool is_code(enum elf_symbol_kind kind)
{
	return kind != ELF_UNDEFINED && kind != ELF_DATA;
}

void symbols_add(struct symbols *s, const struct elf_symbol *one, unsigned fit, struct arena *a)
{
	if (s->n == s->capacity) {
		size_t capacity = s->capacity ? s->capacity * 2 : 4;
		struct symbol *items = arena_array(a, capacity, sizeof(*items));

		if (s->n)
			memcpy(items, s->items, s->n * sizeof(*items));
		s->items = items;
		s->capacity = capacity;
	}
	s->items[s->n++] = (struct symbol){
		.name = arena_strdup(a, one->name),
		.version = one->version ? arena_strdup(a, one->version) : NULL,
		.is_default_version = one->is_default_version,
		.kind = one->kind,
		.address = one->address,
		.size = one->size,
		.offset = one->offset,
		.source = one->source,
		.fit = fit,
	};
}

static int compare(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;
	size_t n_x, n_y;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	n_x = strlen(x->name);
	n_y = strlen(y->name);
	if (n_x != n_y)
		return n_x < n_y ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int rank(enum elf_symbol_kind kind)
{
	return kind == ELF_IFUNC ? 2 : kind == ELF_FUNCTION;
}

static void merge(struct symbol *into, const struct symbol *from)
{
	if (rank(from->kind) > rank(into->kind)) {
		into->kind = from->kind;
		into->size = from->size;
		into->offset = from->offset;
	}
	if (!into->version && !strcmp(into->name, from->name)) {
		into->version = from->version;
		into->is_default_version = from->is_default_version;
	}
}

void symbols_unify(struct symbols *s)
{
	size_t n = 0;

	if (s->n)
		qsort(s->items, s->n, sizeof(*s->items), compare);
	for (size_t i = 0; i < s->n; i++) {
		if (n && s->items[n - 1].address == s->items[i].address)
			merge(&s->items[n - 1], &s->items[i]);
		else
			s->items[n++] = s->items[i];
	}
	s->n = n;
}
