// SPDX-License-Identifier: Apache-2.0
/*
 * Go's functions as symbols, for a file whose own were stripped off, under the names that the
 * linker would have given them there.
 *
 * They differ from those in Go's tables in two ways. A function that is called from both Go and
 * assembler is there twice, once for each way to pass arguments; one of the two calls the other.
 * The linker then writes .abi0 behind the name of the one that takes its arguments from the stack:
 * of the two that is the one written in assembler, or else the one that the compiler made. The
 * tables may have that name once for both or once for each. So the names of whatever could be such
 * a second function are sorted by their text; how many have one is little. Names of generic
 * functions don't tell their types, so that many may share one. And a dot in the middle of a line
 * (U+00B7), which Go puts into names of its own making, becomes a plain one.
 */
#include "elf/go_table.h"
#include "elf/layout.h"

#include <errno.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"

/* What functions of one name there are; HAS_MORE: of the same sort. */
enum { HAS_PLAIN = 1, HAS_WRAPPER = 2, HAS_ASSEMBLY = 4, HAS_MORE = 8 };

struct namesakes {
	const char *name;
	unsigned sorts;
};

struct walk {
	const struct elf_file *file;
	struct namesakes *names; /* of what isn't plain, by name */
	size_t n_names, capacity;
	struct buffer name;
	const struct symbol_wish *wish;
};

static void walk_deinit(struct walk *w)
{
	free(w->names);
	buffer_deinit(&w->name);
}

static unsigned sort_of(const struct go_function *f)
{
	return f->is_assembly ? HAS_ASSEMBLY : f->is_wrapper ? HAS_WRAPPER : HAS_PLAIN;
}

static bool may_be_second(const struct go_function *f)
{
	return sort_of(f) != HAS_PLAIN && !strstr(f->name, "[...]");
}

static int add_name(const struct go_function *f, void *data)
{
	struct walk *w = data;

	if (!may_be_second(f))
		return 0;
	if (w->n_names == w->capacity) {
		w->capacity = w->capacity ? 2 * w->capacity : 64;
		w->names = memory_grow(w->names, w->capacity, sizeof(*w->names));
	}
	w->names[w->n_names++] = (struct namesakes){.name = f->name};
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct namesakes *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static void sort_names(struct walk *w)
{
	size_t n = 0;

	if (w->n_names)
		qsort(w->names, w->n_names, sizeof(*w->names), compare);
	for (size_t i = 0; i < w->n_names; i++)
		if (!n || compare(&w->names[n - 1], &w->names[i]) != 0)
			w->names[n++] = w->names[i];
	w->n_names = n;
}

static struct namesakes *find_name(const struct walk *w, const char *name)
{
	struct namesakes wanted = {.name = name};

	if (!w->n_names)
		return NULL;
	return bsearch(&wanted, w->names, w->n_names, sizeof(wanted), compare);
}

static int note_sort(const struct go_function *f, void *data)
{
	struct namesakes *n = find_name(data, f->name);

	if (n)
		n->sorts |= n->sorts & sort_of(f) ? HAS_MORE : sort_of(f);
	return 0;
}

static bool takes_stack(const struct walk *w, const struct go_function *f)
{
	if (!may_be_second(f))
		return false;
	switch (find_name(w, f->name)->sorts) {
	case HAS_ASSEMBLY | HAS_PLAIN:
	case HAS_ASSEMBLY | HAS_WRAPPER:
		return f->is_assembly;
	case HAS_WRAPPER | HAS_PLAIN:
		return f->is_wrapper;
	default:
		return false;
	}
}

/* The name as the linker writes it. */
static const char *linked_name(struct walk *w, const struct go_function *f)
{
	static const char middle[] = "\xc2\xb7";
	bool is_second = takes_stack(w, f);
	const char *from = f->name, *dot = strstr(from, middle);

	if (!is_second && !dot)
		return f->name;
	buffer_clear(&w->name);
	for (; dot; from = dot + sizeof(middle) - 1, dot = strstr(from, middle)) {
		buffer_append(&w->name, from, (size_t)(dot - from));
		buffer_putc(&w->name, '.');
	}
	buffer_puts(&w->name, from);
	buffer_puts(&w->name, is_second ? ".abi0" : "");
	return buffer_text(&w->name);
}

static int visit_function(const struct go_function *f, void *data)
{
	struct walk *w = data;
	struct elf_symbol s = {
		.name = linked_name(w, f),
		.is_default_version = true,
		.kind = ELF_FUNCTION,
		.address = f->address,
		.size = f->size,
	};

	if (!s.name[0] || !elf_file_find_code(w->file, s.address, s.size, &s.offset))
		return 0;
	return w->wish->visit(&s, w->wish->data);
}

int go_each_symbol(struct elf_file *f, const struct symbol_wish *wish, struct error *e)
{
	_cleanup_(walk_deinit) struct walk w = {.file = f, .wish = wish};
	const char *why;
	const struct go_table *t = elf_file_go(f, &why);

	if (!t)
		return why ? error_set(e, -ENOEXEC, "%s", why) : -ENODATA;
	go_table_each(t, add_name, &w);
	sort_names(&w);
	go_table_each(t, note_sort, &w);
	return go_table_each(t, visit_function, &w);
}
