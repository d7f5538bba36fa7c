// SPDX-License-Identifier: Apache-2.0
/*
 * Identifiers stand in mangled names as they are, with their length in front: 5Order, in C++ and in
 * both schemes of Rust. What demanglers make up is in the table below: built-in types and operators
 * of both languages, what C++ abbreviates of std, and words like "lambda". No pattern's word may be
 * one of them, or a part of one where the pattern is cut off there. Identifiers with characters
 * beyond ASCII are left aside, because Rust encodes them.
 */
#include "plan/word.h"

#include <ctype.h>
#include <string.h>

#include "base/cleanup.h"

static const char *const made_up[] = {
	/* clang-format off */
	"std", "string", "basic_string", "allocator", "char_traits", "iostream", "basic_iostream",
	"istream", "basic_istream", "ostream", "basic_ostream", "nullptr_t", "bfloat16_t",
	"anonymous", "namespace", "lambda", "unnamed", "type", "default", "arg", "parm", "this",
	"auto", "decltype", "decltype16", "template", "typename", "class", "requires", "friend",
	"abi", "clone", "operator", "new", "delete", "sizeof", "alignof", "__alignof__", "typeid",
	"throw", "rethrow", "noexcept", "co_await", "dynamic_cast", "static_cast", "const_cast",
	"reinterpret_cast", "true", "false", "nullptr", "global", "constructors", "destructors",
	"keyed", "to", "vtable", "VTT", "construction", "in", "typeinfo", "name", "fn", "virtual",
	"non", "thunk", "covariant", "return", "java", "resource", "guard", "variable", "TLS",
	"init", "function", "wrapper", "reference", "temporary", "hidden", "alias", "transaction",
	"safe", "transaction_safe", "dynamic", "parameter", "object", "initializer", "module",
	"structured", "binding", "const", "volatile", "restrict", "__restrict", "__vector",
	"vector", "_Complex", "_Imaginary", "complex", "imaginary", "_Sat", "_Accum", "_Fract",
	"bool", "byte", "char", "signed", "unsigned", "short", "int", "long", "float", "double",
	"void", "wchar_t", "char8_t", "char16_t", "char32_t", "__int128", "__float128", "half",
	"__fp16", "decimal32", "decimal64", "decimal128", "boolean", "literal",
	"_Float", "_Float16", "_Float32", "_Float64", "_Float128", "_Float32x", "_Float64x",
	"_BitInt", "unsigned_BitInt", "typeof",
	"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "i128", "u128", "isize", "usize",
	"f32", "f64", "str", "as", "mut", "dyn", "for", "unsafe", "extern", "closure", "shim",
	"impl", "C", "_",
	/* clang-format on */
};

/* What of a name is looked at, and where that is cut off. */
struct part {
	const char *text;
	size_t n;
	bool is_cut_before, is_cut_behind;
};

static bool is_of_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Whether it may be one that a demangler makes up: a part of which, where it is cut off. */
static bool is_made_up(const char *text, size_t n, bool is_cut)
{
	for (size_t i = 0; i < ARRAY_SIZE(made_up); i++) {
		size_t n_word = strlen(made_up[i]);

		if (is_cut ? memmem(made_up[i], n_word, text, n) != NULL
			   : n == n_word && !memcmp(made_up[i], text, n))
			return true;
	}
	return false;
}

/* Whether the word from first to end says something about mangled names. */
static bool is_telling(const struct part *p, size_t first, size_t end)
{
	bool is_cut = (!first && p->is_cut_before) || (end == p->n && p->is_cut_behind);

	/* A number; 'a, {closure#0} */
	if (isdigit((unsigned char)p->text[first]) || (first && strchr("'{", p->text[first - 1])))
		return false;
	if ((first && (unsigned char)p->text[first - 1] >= 0x80) ||
		(end < p->n && (unsigned char)p->text[end] >= 0x80))
		return false;
	return !is_made_up(p->text + first, end - first, is_cut);
}

static size_t word_end(const struct part *p, size_t first)
{
	while (first < p->n && is_of_word(p->text[first]))
		first++;
	return first;
}

struct word word_of_part(const char *text, size_t n, bool is_cut_before, bool is_cut_behind)
{
	struct part p = {text, n, is_cut_before, is_cut_behind};
	struct word best = {};

	for (size_t i = 0, end; i < n; i = end + (end == i)) {
		end = word_end(&p, i);
		if (end - i > best.n && is_telling(&p, i, end))
			best = (struct word){text + i, end - i};
	}
	return best;
}

/* The last telling word that lies in no brackets. */
static struct word last_outside(const struct part *p)
{
	struct word last = {};
	int depth = 0;

	for (size_t i = 0, end; i < p->n; i = end + (end == i)) {
		end = word_end(p, i);
		if (end > i && depth == 0 && is_telling(p, i, end))
			last = (struct word){p->text + i, end - i};
		else if (end == i && strchr("<([{", p->text[i]))
			depth++;
		else if (end == i && strchr(">)]}", p->text[i]))
			depth--;
	}
	return last;
}

static struct part part_of_name(const char *name)
{
	const char *clone = strstr(name, "[clone"); /* what follows has no length in front */

	return (struct part){name, clone ? (size_t)(clone - name) : strlen(name), false, false};
}

bool words_of_name(const char *name, word_visit *visit, void *data)
{
	struct part p = part_of_name(name);

	for (size_t i = 0, end; i < p.n; i = end + (end == i)) {
		end = word_end(&p, i);
		if (end > i && is_telling(&p, i, end) &&
			visit((struct word){p.text + i, end - i}, data))
			return true;
	}
	return false;
}

struct word word_of_name(const char *name)
{
	struct part p = part_of_name(name);
	struct word w = last_outside(&p);

	return w.n ? w : word_of_part(p.text, p.n, false, false);
}

/* Reads a length at text, of which digits behind digits of another number may be the end. */
static size_t length_at(const char *text, size_t *n_digits)
{
	size_t length = 0, n = 0;

	while (isdigit((unsigned char)text[n]) && length < 100000)
		length = length * 10 + (size_t)(text[n++] - '0');
	*n_digits = n;
	return *text == '0' ? 0 : length;
}

/* In Rust's older scheme an identifier holds words and what is between them:
 * _$LT$shop..Order$u20$as$u20$core..fmt..Debug$GT$. */
static bool visit_words_in(struct word w, word_visit *visit, void *data)
{
	struct part p = {w.text, w.n, false, false};

	for (size_t i = 0, end; i < w.n; i = end + (end == i)) {
		end = word_end(&p, i);
		if (end > i && end - i < w.n && visit((struct word){w.text + i, end - i}, data))
			return true;
	}
	return false;
}

struct visiting {
	const char *end; /* of the name */
	bool has_parts;  /* some characters in it separate words */
	word_visit *visit;
	void *data;
};

static bool visit_one(const struct visiting *v, const char *text, size_t n)
{
	struct word w = {text, n};

	return n && n <= (size_t)(v->end - text) &&
	       (v->visit(w, v->data) || (v->has_parts && visit_words_in(w, v->visit, v->data)));
}

bool words_of_mangled(const char *mangled, word_visit *visit, void *data)
{
	struct visiting v = {.visit = visit, .data = data};

	v.end = mangled + strlen(mangled);
	v.has_parts = strpbrk(mangled, "$.") != NULL;
	for (const char *c = mangled; *c; c++) {
		size_t n_digits = 0, length;

		if (!isdigit((unsigned char)*c))
			continue;
		length = length_at(c, &n_digits);
		if (visit_one(&v, c + n_digits, length))
			return true;
		/* Rust puts _ in front of identifiers that begin with a digit or with _. */
		if (c[n_digits] == '_' && visit_one(&v, c + n_digits + 1, length))
			return true;
	}
	return false;
}
