// SPDX-License-Identifier: Apache-2.0
/*
 * What a C++ name would become is looked at before it is printed. Parts of a mangled name stand for
 * what was there before (S_), and template parameters (T_) for arguments: a name of 200 characters
 * can be a text of gigabytes, and libiberty's printer can't be told to stop. Its tree shares what
 * is repeated, so that the size of the text is found by one visit to each component.
 *
 * The estimate is an upper bound. A template parameter is as large as the whole name may be; where
 * arguments hold parameters themselves, which are those of functions further out, each of these
 * multiplies.
 * No name that a compiler makes comes near the limit.
 *
 * All components lie in one array. A link that doesn't point into it is none, so that a kind which
 * a newer version of the library adds can at worst make a name stay mangled.
 */
#include "elf/demangle_tree.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"

/* libiberty's printer keeps templates * references places on the stack. */
enum { FIXED_TEXT = 8, MOST_TEXT = 1 << 20, MOST_SCOPES = 1 << 14 };

struct weight {
	bool is_known, is_open; /* open: its links are just being followed */
	double text;            /* bytes, but for what parameters stand for */
	double params;          /* how often parameters are printed */
	double nested_params;   /* of them within arguments of templates */
	unsigned n_functions;   /* that lie in each other */
};

struct weighing {
	const struct demangle_tree *tree;
	struct weight *weights; /* by component */
	double n_templates, n_references;
	bool is_circular;
};

/* Which component p is; SIZE_MAX: none. */
static size_t index_of(const struct demangle_tree *t, const struct demangle_component *p)
{
	uintptr_t offset = (uintptr_t)p - (uintptr_t)t->components;

	if (offset % sizeof(*p) || offset / sizeof(*p) >= t->n_components)
		return SIZE_MAX;
	return offset / sizeof(*p);
}

struct links {
	const struct demangle_component *left, *right;
};

static struct links links_of(const struct demangle_tree *t, const struct demangle_component *c)
{
	struct links l = {};

	switch (c->type) {
	case DEMANGLE_COMPONENT_NAME:
	case DEMANGLE_COMPONENT_TEMPLATE_PARAM:
	case DEMANGLE_COMPONENT_FUNCTION_PARAM:
	case DEMANGLE_COMPONENT_SUB_STD:
	case DEMANGLE_COMPONENT_CHARACTER:
	case DEMANGLE_COMPONENT_NUMBER:
	case DEMANGLE_COMPONENT_UNNAMED_TYPE:
	case DEMANGLE_COMPONENT_OPERATOR:
	case DEMANGLE_COMPONENT_BUILTIN_TYPE:
	case DEMANGLE_COMPONENT_EXTENDED_BUILTIN_TYPE:
		return l;
	case DEMANGLE_COMPONENT_CTOR:
		l.left = c->u.s_ctor.name;
		break;
	case DEMANGLE_COMPONENT_DTOR:
		l.left = c->u.s_dtor.name;
		break;
	case DEMANGLE_COMPONENT_EXTENDED_OPERATOR:
		l.left = c->u.s_extended_operator.name;
		break;
	case DEMANGLE_COMPONENT_FIXED_TYPE:
	case DEMANGLE_COMPONENT_LAMBDA:
	case DEMANGLE_COMPONENT_DEFAULT_ARG:
		l.left = c->u.s_binary.left;
		break;
	default:
		l = (struct links){c->u.s_binary.left, c->u.s_binary.right};
	}
	if (index_of(t, l.left) == SIZE_MAX)
		l.left = NULL;
	if (index_of(t, l.right) == SIZE_MAX)
		l.right = NULL;
	return l;
}

static double own_text(const struct demangle_component *c)
{
	if (c->type == DEMANGLE_COMPONENT_NAME)
		return c->u.s_name.len;
	return c->type == DEMANGLE_COMPONENT_SUB_STD ? c->u.s_string.len : FIXED_TEXT;
}

static void add(struct weight *to, struct weight w)
{
	to->text += w.text;
	to->params += w.params;
	to->nested_params += w.nested_params;
	if (w.n_functions > to->n_functions)
		to->n_functions = w.n_functions;
}

static struct weight weigh(struct weighing *w, const struct demangle_component *c);

static struct weight weigh_anew(struct weighing *w, const struct demangle_component *c)
{
	struct weight own = {.is_known = true, .text = own_text(c)};
	struct links l = links_of(w->tree, c);

	if (l.left)
		add(&own, weigh(w, l.left));
	if (l.right)
		add(&own, weigh(w, l.right));
	own.params += c->type == DEMANGLE_COMPONENT_TEMPLATE_PARAM;
	if (c->type == DEMANGLE_COMPONENT_TEMPLATE_ARGLIST)
		own.nested_params = own.params;
	own.n_functions += c->type == DEMANGLE_COMPONENT_TYPED_NAME;
	w->n_templates += c->type == DEMANGLE_COMPONENT_TEMPLATE;
	w->n_references += c->type == DEMANGLE_COMPONENT_REFERENCE ||
			   c->type == DEMANGLE_COMPONENT_RVALUE_REFERENCE;
	return own;
}

static struct weight weigh(struct weighing *w, const struct demangle_component *c)
{
	struct weight *known = &w->weights[index_of(w->tree, c)];

	w->is_circular |= known->is_open;
	if (known->is_known || known->is_open)
		return *known;
	known->is_open = true;
	*known = weigh_anew(w, c);
	return *known;
}

bool demangle_tree_is_printable(const struct demangle_tree *t)
{
	_cleanup_(freep) struct weight *weights =
		memory_alloc(t->n_components * sizeof(struct weight));
	struct weighing w = {.tree = t, .weights = weights};
	struct weight all = weigh(&w, t->root);
	double nested = all.nested_params > 1 ? all.nested_params : 1;
	double n_outer = all.n_functions > 1 ? all.n_functions - 1 : 0;

	return !w.is_circular && w.n_templates * w.n_references <= MOST_SCOPES &&
	       all.text * (1 + all.params) * pow(nested, n_outer) <= MOST_TEXT;
}

static enum structor ctor_kind(enum gnu_v3_ctor_kinds kind)
{
	switch (kind) {
	case gnu_v3_complete_object_ctor:
		return STRUCTOR_COMPLETE;
	case gnu_v3_base_object_ctor:
		return STRUCTOR_BASE;
	case gnu_v3_unified_ctor:
		return STRUCTOR_UNIFIED;
	default:
		return STRUCTOR_NONE;
	}
}

static enum structor dtor_kind(enum gnu_v3_dtor_kinds kind)
{
	switch (kind) {
	case gnu_v3_deleting_dtor:
		return STRUCTOR_DELETING;
	case gnu_v3_complete_object_dtor:
		return STRUCTOR_COMPLETE;
	case gnu_v3_base_object_dtor:
		return STRUCTOR_BASE;
	case gnu_v3_unified_dtor:
		return STRUCTOR_UNIFIED;
	default:
		return STRUCTOR_NONE;
	}
}

/* From a name to the part of it that is the function's own, inside of what qualifies it. */
static const struct demangle_component *step_inside(const struct demangle_component *c)
{
	switch (c->type) {
	case DEMANGLE_COMPONENT_TYPED_NAME:
	case DEMANGLE_COMPONENT_TEMPLATE:
	case DEMANGLE_COMPONENT_TAGGED_NAME:
		return c->u.s_binary.left;
	case DEMANGLE_COMPONENT_QUAL_NAME:
	case DEMANGLE_COMPONENT_LOCAL_NAME:
		return c->u.s_binary.right;
	default:
		return NULL;
	}
}

enum structor demangle_tree_structor(const struct demangle_tree *t)
{
	const struct demangle_component *c = t->root, *next;

	while (index_of(t, c) != SIZE_MAX && (next = step_inside(c)))
		c = next;
	if (index_of(t, c) == SIZE_MAX)
		return STRUCTOR_NONE;
	if (c->type == DEMANGLE_COMPONENT_CTOR)
		return ctor_kind(c->u.s_ctor.kind);
	return c->type == DEMANGLE_COMPONENT_DTOR ? dtor_kind(c->u.s_dtor.kind) : STRUCTOR_NONE;
}

bool demangle_tree_has_return_type(const struct demangle_tree *t)
{
	const struct demangle_component *c = t->root;

	if (c->type != DEMANGLE_COMPONENT_TYPED_NAME)
		return false;
	c = c->u.s_binary.right;
	return c && c->type == DEMANGLE_COMPONENT_FUNCTION_TYPE && c->u.s_binary.left;
}

bool demangle_tree_init(struct demangle_tree *t, const char *mangled, size_t n)
{
	*t = (struct demangle_tree){};
	t->root = cplus_demangle_v3_components(mangled, DMGL_PARAMS | DMGL_ANSI, &t->components);
	t->n_components = t->root ? 2 * n : 0;
	return t->root && index_of(t, t->root) != SIZE_MAX;
}

void demangle_tree_reset(struct demangle_tree *t)
{
	struct demangle_component *all = t->components;

	for (size_t i = 0; i < t->n_components; i++)
		all[i].d_counting = all[i].d_printing = 0;
}

void demangle_tree_deinit(struct demangle_tree *t)
{
	free(t->components);
}
