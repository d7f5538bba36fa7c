// SPDX-License-Identifier: Apache-2.0
/*
 * The shortest name of a function is the one without parameters. Where a probe selects several
 * functions that have it in common, overloads, each is called by its signature; and where what they
 * return is all that tells two of them apart, by that too. What is left in common then are
 * namesakes, which share a series: static functions of several source files, instances of a generic
 * one that Rust tells apart by a hash, bodies of one constructor.
 */
#include "plan/label.h"

#include <string.h>

static const char *short_name(const struct function *f)
{
	return f->is_exact ? f->label : f->readable.bare;
}

static int compare(const void *a, const void *b)
{
	const struct function *x = *(struct function *const *)a;
	const struct function *y = *(struct function *const *)b;
	int order = strcmp(short_name(x), short_name(y));

	if (!order)
		order = strcmp(x->readable.signature, y->readable.signature);
	return order ? order : strcmp(x->readable.full, y->readable.full);
}

static bool differ(const struct function *a, const struct function *b)
{
	return strcmp(a->readable.full, b->readable.full) != 0;
}

static bool share_signature(const struct function *a, const struct function *b)
{
	return differ(a, b) && !strcmp(a->readable.signature, b->readable.signature);
}

/* The name of the i-th of n functions that have a short one in common. */
static const char *longer_name(struct function *const *group, size_t n, size_t i)
{
	const struct function *f = group[i];

	if ((i && share_signature(group[i - 1], f)) ||
		(i + 1 < n && share_signature(f, group[i + 1])))
		return f->readable.full;
	return f->readable.signature;
}

static void settle(struct function *const *group, size_t n, struct arena *a)
{
	bool has_several = false;

	for (size_t i = 1; i < n; i++)
		has_several |= differ(group[0], group[i]);
	for (size_t i = 0; i < n; i++) {
		const struct symbol *s = &group[i]->symbol;

		if (!group[i]->is_exact && is_code(s->kind))
			group[i]->label = name_with_version(
				has_several ? longer_name(group, n, i) : short_name(group[i]),
				s->version, s->is_default_version, a);
	}
}

void labels_settle(struct function **functions, size_t n, struct arena *a)
{
	if (n)
		qsort(functions, n, sizeof(struct function *), compare);
	for (size_t first = 0, end; first < n; first = end) {
		end = first + 1;
		while (end < n && !strcmp(short_name(functions[first]), short_name(functions[end])))
			end++;
		settle(functions + first, end - first, a);
	}
}
