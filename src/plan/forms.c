// SPDX-License-Identifier: Apache-2.0
/*
 * A person may write a function's name as any tool shows it, with as much of it as is enough. All
 * that can be said of a symbol is laid out here, once; what a name means follows by comparing
 * texts.
 *
 * A clone is named with what compilers put behind its name, in their way (sum.isra.0) or in that of
 * nm -C (sum() [clone .isra.0]); and, where nothing else has the name, as the function that it was
 * made from. In Rust, where the compiler's units are no source files, a suffix that only makes a
 * name unique (.llvm.123) is never shown: there it is no clone.
 */
#include "plan/forms.h"

#include <ctype.h>
#include <string.h>

#include "plan/name.h"
#include "plan/spelling.h"

void forms_deinit(struct forms *f)
{
	demangled_deinit(&f->demangled);
	buffer_deinit(&f->text);
	buffer_deinit(&f->spelling);
}

/* One symbol on its way. */
struct offer {
	struct forms *forms;
	form_visit *visit;
	void *data;
	unsigned fit; /* 0 or FIT_OF_CLONE */
	const char *suffixes;
	size_t n_suffixes; /* bytes of them that belong to the name */
};

/* Behind one suffix as nm -C tells them apart, .isra.0; NULL where it tells none. */
static const char *suffix_end(const char *c)
{
	if (*c != '.' ||
		!(islower((unsigned char)c[1]) || isdigit((unsigned char)c[1]) || c[1] == '_'))
		return NULL;
	c += 2;
	while (islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '_')
		c++;
	while (*c == '.' && isdigit((unsigned char)c[1]))
		for (c += 2; isdigit((unsigned char)*c);)
			c++;
	return c;
}

/* Puts n bytes of suffixes as nm -C shows them. */
static void put_suffixes(const char *suffixes, size_t n, struct buffer *out)
{
	const char *end;

	for (const char *c = suffixes; c < suffixes + n; c = end) {
		end = suffix_end(c);
		if (!end || end > suffixes + n)
			end = suffixes + n;
		buffer_printf(out, " [clone %.*s]", (int)(end - c), c);
	}
}

static const char *with_suffixes(const struct offer *o, const char *name)
{
	buffer_clear(&o->forms->text);
	buffer_puts(&o->forms->text, name);
	put_suffixes(o->suffixes, o->n_suffixes, &o->forms->text);
	return buffer_text(&o->forms->text);
}

static void offer_text(const struct offer *o, const char *text, unsigned fit)
{
	o->visit(spelling_of(text, &o->forms->spelling), o->fit + fit, o->data);
}

static void offer_name(const struct offer *o, const char *name, unsigned fit)
{
	offer_text(o, with_suffixes(o, name), fit);
}

static void offer_untagged(const struct offer *o, const char *name, unsigned fit)
{
	struct buffer *spelling = &o->forms->spelling;

	if (strstr(name, "[abi:"))
		o->visit(spelling_without_tags(with_suffixes(o, name), spelling), o->fit + fit,
			o->data);
}

/* f(int) const as f(int). */
static void offer_unqualified(const struct offer *o, const char *signature)
{
	const char *end = strrchr(signature, ')');
	struct buffer *text = &o->forms->text;

	if (!end || !end[1])
		return;
	buffer_clear(text);
	buffer_append(text, signature, (size_t)(end + 1 - signature));
	put_suffixes(o->suffixes, o->n_suffixes, text);
	offer_text(o, buffer_text(text), FIT_UNQUALIFIED);
}

/* How long the operator is that a text begins with: longer ones first. */
static size_t operator_size(const char *text)
{
	static const char *const operators[] = {"<=>", "<<=", ">>=", "->*", "()", "[]", "<<", ">>",
		"<=", ">=", "==", "!=", "&&", "||", "++", "--",
		"+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "->", "<", ">", "=", "!", "+", "-",
		"*", "/", "%", "^", "&", "|", "~", ","};

	for (size_t i = 0; i < ARRAY_SIZE(operators); i++)
		if (!strncmp(text, operators[i], strlen(operators[i])))
			return strlen(operators[i]);
	return 0;
}

/* How long the name of an operator is that begins at c, in text; 0: none does. */
static size_t operator_name_size(const char *text, const char *c)
{
	static const char word[] = "operator";
	size_t n = strlen(word);

	if (*c != word[0] || strncmp(c, word, n) != 0 || (c > text && is_of_identifier(c[-1])) ||
		!operator_size(c + n))
		return 0;
	return n + operator_size(c + n);
}

/* Behind the > that closes the arguments at c; or at the end. */
static const char *skip_arguments(const char *c)
{
	size_t depth = 0;

	for (; *c; c++) {
		depth += *c == '<';
		if (*c == '>' && c[-1] != '-' && !--depth)
			return c + 1;
	}
	return c;
}

/* std::vector<int>::push_back as std::vector::push_back, operator<< <int> as operator<<. */
static void offer_generic(const struct offer *o, const char *bare)
{
	struct buffer *text = &o->forms->text;
	size_t n;

	if (!strchr(bare, '<'))
		return;
	buffer_clear(text);
	for (const char *c = bare; *c;) {
		n = operator_name_size(bare, c);
		buffer_append(text, c, n);
		c += n;
		if (n)
			c += *c == ' ' && c[1] == '<';
		if (*c == '<' && (n || (c > bare && is_of_identifier(c[-1]))))
			c = skip_arguments(c);
		else if (!n)
			buffer_putc(text, *c++);
	}
	put_suffixes(o->suffixes, o->n_suffixes, text);
	offer_text(o, buffer_text(text), FIT_GENERIC);
}

static void offer_readable(const struct offer *o)
{
	const struct demangled *d = &o->forms->demangled;

	offer_name(o, buffer_text(&d->full), FIT_FULL);
	offer_name(o, buffer_text(&d->signature), FIT_FULL);
	offer_untagged(o, buffer_text(&d->full), FIT_UNTAGGED);
	offer_untagged(o, buffer_text(&d->signature), FIT_UNTAGGED);
	offer_unqualified(o, buffer_text(&d->signature));
	offer_name(o, buffer_text(&d->bare), FIT_BARE);
	offer_untagged(o, buffer_text(&d->bare), FIT_BARE);
	offer_generic(o, buffer_text(&d->bare));
}

/* And a generic function of Go's, main.Map[go.shape.int], as main.Map[...] and main.Map. */
static void offer_raw(const struct offer *o, const char *symbol, size_t n)
{
	static const char *const types[] = {"[...]", ""};
	struct buffer *text = &o->forms->text;

	buffer_clear(text);
	buffer_append(text, symbol, n);
	offer_text(o, buffer_text(text), FIT_SYMBOL);
	for (size_t i = 0; i < ARRAY_SIZE(types) && memchr(symbol, '[', n); i++)
		o->visit(spelling_of_generic(buffer_text(text), types[i], &o->forms->spelling),
			o->fit + FIT_GENERIC, o->data);
}

/* The bytes of a mangled name's suffixes that are shown of it; n_all with, n without them. */
static size_t shown_suffixes(const struct demangled *d, size_t n, size_t n_all, size_t n_kept)
{
	if (d->is_rust)
		n_all = n_kept;
	return n_all > n ? n_all - n : 0;
}

void forms_visit(
	struct forms *f, const char *symbol, bool is_readable, form_visit *visit, void *data)
{
	struct offer o = {.forms = f, .visit = visit, .data = data};
	size_t n = is_mangled(symbol) ? mangled_size(symbol) : 0, n_all = strlen(symbol), n_base;
	bool is_clone = name_clone_kind(symbol, &n_base) != CLONE_NONE;

	is_readable = is_readable && n && demangle(&f->demangled, symbol, n);
	offer_raw(&o, symbol, n_all);
	o.suffixes = symbol + n;
	o.n_suffixes = shown_suffixes(&f->demangled, n, n_all, name_size_without_renaming(symbol));
	if (is_readable)
		offer_readable(&o);
	if (!is_clone)
		return;
	o.fit = FIT_OF_CLONE;
	offer_raw(&o, symbol, n_base);
	o.n_suffixes = n_base > n ? n_base - n : 0;
	if (is_readable)
		offer_readable(&o);
}

/* ---- what is shown ---- */

bool forms_read(struct forms *f, const char *symbol)
{
	struct demangled *d = &f->demangled;
	size_t n = is_mangled(symbol) ? mangled_size(symbol) : 0, n_shown;
	size_t n_all = strlen(symbol), n_kept = name_size_without_renaming(symbol);

	if (!n || !demangle(d, symbol, n))
		return false;
	n_shown = shown_suffixes(d, n, n_all, n_kept);
	put_suffixes(symbol + n, n_shown, &d->full);
	put_suffixes(symbol + n, n_shown, &d->signature);
	put_suffixes(symbol + n, n_kept > n ? n_kept - n : 0, &d->bare);
	return true;
}

struct readable readable_of(struct forms *f, const char *symbol, struct arena *a)
{
	struct readable r = {.full = symbol, .signature = symbol, .bare = symbol};
	size_t n_kept = name_size_without_renaming(symbol);

	if (forms_read(f, symbol)) {
		r.full = arena_strdup(a, buffer_text(&f->demangled.full));
		r.signature = arena_strdup(a, buffer_text(&f->demangled.signature));
		r.bare = arena_strdup(a, buffer_text(&f->demangled.bare));
		r.structor = f->demangled.structor;
	} else if (symbol[n_kept]) {
		r.bare = arena_strndup(a, symbol, n_kept);
	}
	return r;
}
