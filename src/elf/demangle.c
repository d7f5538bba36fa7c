// SPDX-License-Identifier: Apache-2.0
/*
 * Demangling is libiberty's, as nm's and perf's is, so that names read as they do there. Its input
 * comes from files that may be hostile, and it was not made for that: recursion is as deep as a
 * name is long, which is bounded here; a short name can become an endless text.
 *
 * C++ is estimated before it is printed (demangle_tree.c). Where the type of a conversion operator
 * could have arguments, the parser tries them both ways, so that operators in operators double its
 * time: their number is bounded in the text. Of Rust's v0 scheme there is no tree to
 * look at, but all that it repeats is printed at once: when too much is, the printer is left by
 * longjmp(). It holds memory only while it prints an identifier that isn't ASCII, so that it is
 * not left there. What it does without printing are loops over lifetimes, whose number is
 * therefore bounded in the text.
 */
#include "elf/demangle.h"

#include <ctype.h>
#include <setjmp.h>
#include <string.h>

#include "elf/demangle_tree.h"

enum { LONGEST_MANGLED = 2048, LONGEST_READABLE = 16384 };
enum { MOST_LIFETIME_DIGITS = 2, MOST_CONVERSIONS = 8 };
enum { HOW = DMGL_PARAMS | DMGL_ANSI };

void demangled_deinit(struct demangled *d)
{
	buffer_deinit(&d->full);
	buffer_deinit(&d->signature);
	buffer_deinit(&d->bare);
	buffer_deinit(&d->mangled);
}

/* ---- what both languages share ---- */

static bool is_hash(const char *text, size_t n)
{
	static const size_t n_hash = sizeof("17h0123456789abcdefE") - 1;

	if (n < n_hash || text[n - 1] != 'E' || memcmp(text + n - n_hash, "17h", 3) != 0)
		return false;
	for (size_t i = n - n_hash + 3; i < n - 1; i++)
		if (!isxdigit((unsigned char)text[i]))
			return false;
	return true;
}

/* Rust's older scheme has dots inside of names, but none behind the hash. */
size_t mangled_size(const char *name)
{
	size_t n = strlen(name);

	for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.'))
		if (is_hash(name, (size_t)(dot - name)))
			return (size_t)(dot - name);
	return is_hash(name, n) ? n : strcspn(name, ".");
}

struct printing {
	struct buffer *out;
	bool is_too_much;
	jmp_buf *too_much; /* or NULL: what comes is bounded */
};

static bool is_ascii(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)text[i] >= 0x80)
			return false;
	return true;
}

static void print(const char *text, size_t n, void *data)
{
	struct printing *p = data;

	p->is_too_much |= n > LONGEST_READABLE || p->out->size + n > LONGEST_READABLE;
	if (!p->is_too_much)
		buffer_append(p->out, text, n);
	else if (p->too_much && is_ascii(text, n))
		longjmp(*p->too_much, 1);
}

static void copy(struct buffer *to, const struct buffer *from)
{
	buffer_clear(to);
	buffer_append(to, buffer_text(from), from->size);
}

static void cut(struct buffer *b, size_t size)
{
	b->size = size;
	b->data[size] = '\0';
}

/* ---- Rust ---- */

/* A binder stands behind F or D: G, the number of lifetimes in digits of 62 kinds, _. */
static bool has_many_lifetimes(const char *mangled)
{
	for (const char *c = strchr(mangled, 'G'); c; c = strchr(c + 1, 'G')) {
		size_t n = 0;

		if (c == mangled || !strchr("FD", c[-1]))
			continue;
		while (isalnum((unsigned char)c[1 + n]))
			n++;
		if (n > MOST_LIFETIME_DIGITS && c[1 + n] == '_')
			return true;
	}
	return false;
}

static bool print_rust(struct demangled *d)
{
	struct printing p = {.out = &d->full};
	jmp_buf too_much;

	if (has_many_lifetimes(buffer_text(&d->mangled)))
		return false;
	p.too_much = &too_much;
	if (setjmp(too_much))
		return false;
	return rust_demangle_callback(buffer_text(&d->mangled), HOW, print, &p) && !p.is_too_much;
}

/* Generic arguments at the end, ::<i32>, are left out. */
static void strip_turbofish(struct buffer *name)
{
	size_t depth = 0;

	if (!name->size || name->data[name->size - 1] != '>')
		return;
	for (size_t i = name->size; i--;) {
		if (name->data[i] == '>' && (!i || name->data[i - 1] != '-'))
			depth++;
		if (name->data[i] != '<' || --depth)
			continue;
		if (i > 2 && !memcmp(name->data + i - 2, "::", 2))
			cut(name, i - 2);
		return;
	}
}

/* Where the angle bracket at the beginning is closed; 0: nowhere, or it holds a trait's name. */
static size_t inherent_end(const struct buffer *name)
{
	size_t depth = 0;

	for (size_t i = 0; i < name->size; i++) {
		if (name->data[i] == '>' && name->data[i - 1] != '-' && !--depth)
			return i;
		if (depth == 1 && !strncmp(name->data + i, " as ", 4))
			return 0;
		depth += name->data[i] == '<';
	}
	return 0;
}

/* Of a method that is no trait's, the newer scheme says <shop::Order>::place. */
static void strip_inherent(struct buffer *name)
{
	size_t end = name->size && name->data[0] == '<' ? inherent_end(name) : 0;

	if (!end)
		return;
	memmove(name->data, name->data + 1, end - 1);
	memmove(name->data + end - 1, name->data + end + 1, name->size - end - 1);
	cut(name, name->size - 2);
}

static bool demangle_rust(struct demangled *d)
{
	if (!print_rust(d))
		return false;
	copy(&d->signature, &d->full);
	copy(&d->bare, &d->full);
	strip_turbofish(&d->bare);
	strip_inherent(&d->bare);
	d->is_rust = true;
	return true;
}

/* ---- C++ ---- */

static bool strip_end(struct buffer *name, const char *end)
{
	size_t n = strlen(end);

	if (name->size <= n || memcmp(name->data + name->size - n, end, n) != 0)
		return false;
	cut(name, name->size - n);
	return true;
}

/* Cuts the parameters off a signature, and what says how `this` is seen. */
static void strip_params(struct buffer *name)
{
	size_t depth = 0;

	while (strip_end(name, " const") || strip_end(name, " volatile") || strip_end(name, " &") ||
		strip_end(name, " &&"))
		;
	if (!name->size || name->data[name->size - 1] != ')')
		return;
	for (size_t i = name->size; i--;) {
		depth += name->data[i] == ')';
		if (name->data[i] == '(' && !--depth) {
			if (i)
				cut(name, i);
			return;
		}
	}
}

static bool print_tree(struct demangle_tree *t, int how, struct buffer *out)
{
	struct printing p = {.out = out};

	buffer_clear(out);
	demangle_tree_reset(t);
	return cplus_demangle_print_callback(how, t->root, print, &p) && !p.is_too_much;
}

static bool print_forms(struct demangled *d, struct demangle_tree *t)
{
	if (!demangle_tree_is_printable(t) || !print_tree(t, HOW, &d->full))
		return false;
	if (!demangle_tree_has_return_type(t))
		copy(&d->signature, &d->full);
	else if (!print_tree(t, HOW | DMGL_RET_DROP, &d->signature))
		return false;
	copy(&d->bare, &d->signature);
	strip_params(&d->bare);
	d->structor = demangle_tree_structor(t);
	return true;
}

/* cv, which is not just a part of a name like 2cv or 8cvtColor. */
static bool has_many_conversions(const char *mangled)
{
	size_t n = 0;

	for (const char *c = strstr(mangled, "cv"); c; c = strstr(c + 1, "cv"))
		n += c > mangled && !isdigit((unsigned char)c[-1]);
	return n > MOST_CONVERSIONS;
}

static bool demangle_cxx(struct demangled *d)
{
	_cleanup_(demangle_tree_deinit) struct demangle_tree t = {};

	if (has_many_conversions(buffer_text(&d->mangled)))
		return false;
	return demangle_tree_init(&t, buffer_text(&d->mangled), d->mangled.size) &&
	       print_forms(d, &t);
}

bool demangle(struct demangled *d, const char *name, size_t n)
{
	if (!is_mangled(name) || n > LONGEST_MANGLED)
		return false;
	buffer_clear(&d->full);
	buffer_clear(&d->mangled);
	buffer_append(&d->mangled, name, n);
	d->structor = STRUCTOR_NONE;
	d->is_rust = false;
	if (name[1] == 'R' || is_hash(name, n)) {
		if (demangle_rust(d))
			return true;
		buffer_clear(&d->full);
	}
	return name[1] == 'Z' && demangle_cxx(d);
}
