// SPDX-License-Identifier: Apache-2.0
/*
 * A type is always written, because the same register means other numbers to `int` and `unsigned`:
 * -5 must never be read as 4294967291. So a number in the file that a type doesn't have is a
 * mistake, too.
 */
#include "config/operand_type.h"

#include <ctype.h>
#include <inttypes.h>

static const struct {
	const char *name;
	uint8_t bits; /* of a number's range; 0: text */
	bool is_signed;
} types[N_OPERAND_TYPES] = {
	[OPERAND_S8] = {"s8", 8, true},
	[OPERAND_U8] = {"u8", 8, false},
	[OPERAND_S16] = {"s16", 16, true},
	[OPERAND_U16] = {"u16", 16, false},
	[OPERAND_S32] = {"s32", 32, true},
	[OPERAND_U32] = {"u32", 32, false},
	[OPERAND_S64] = {"s64", 64, true},
	[OPERAND_U64] = {"u64", 64, false},
	[OPERAND_BOOL] = {"bool", 1, false},
	[OPERAND_PTR] = {"ptr", 64, false},
	[OPERAND_STRING] = {"string", 0, false},
	[OPERAND_GO_STRING] = {"go_string", 0, false},
};

bool operand_is_signed(enum operand_type t)
{
	return types[t].is_signed;
}

bool operand_is_text(enum operand_type t)
{
	return !types[t].bits;
}

const char *operand_type_name(enum operand_type t)
{
	return types[t].name;
}

uint64_t operand_greatest(enum operand_type t)
{
	unsigned bits = types[t].bits - types[t].is_signed;

	return operand_order(types[t].is_signed, bits == 64 ? UINT64_MAX : (1ULL << bits) - 1);
}

uint64_t operand_least(enum operand_type t)
{
	return types[t].is_signed ? ~operand_greatest(t) : 0;
}

/* The place of a number among those of its type: -1 or 1, it is below or above them; 0, and *out is
 * it, in order. */
static int operand_place(enum operand_type t, struct integer number, uint64_t *out)
{
	bool is_signed = types[t].is_signed, is_large = number.magnitude >> 63;
	uint64_t order;

	if (number.is_negative && number.magnitude) {
		if (!is_signed || number.magnitude > 1ULL << 63)
			return -1;
		order = operand_order(true, -number.magnitude);
		if (order < operand_least(t))
			return -1;
	} else {
		if (is_signed && is_large)
			return 1;
		order = operand_order(is_signed, number.magnitude);
		if (order > operand_greatest(t))
			return 1;
	}
	*out = order;
	return 0;
}

const char *operand_range(enum operand_type t, struct arena *arena)
{
	bool is_signed = types[t].is_signed;
	uint64_t least = operand_order(is_signed, operand_least(t));
	uint64_t greatest = operand_order(is_signed, operand_greatest(t));

	if (is_signed)
		return arena_printf(
			arena, "%" PRId64 " to %" PRId64, (int64_t)least, (int64_t)greatest);
	return arena_printf(arena, "%" PRIu64 " to %" PRIu64, least, greatest);
}

static bool scan_truth(struct scan *s, uint64_t *out)
{
	const char *start = s->at, *word = scan_word(s);

	*out = !strcmp(word, "true");
	return *out || !strcmp(word, "false") ||
	       scan_fail(s, start, "true or false is expected here");
}

bool operand_scan_number(struct scan *s, enum operand_type t, uint64_t *out)
{
	struct integer number = {};
	const char *start;
	int place;

	scan_blanks(s);
	start = s->at;
	if (t == OPERAND_BOOL && isalpha((unsigned char)*s->at)) {
		if (!scan_truth(s, &number.magnitude))
			return false;
	} else if (!scan_integer(s, &number))
		return false;
	place = operand_place(t, number, out);
	if (!place)
		return true;
	return scan_fail(s, start, "no %s is so %s: it is %s", operand_type_name(t),
		place < 0 ? "small" : "large", operand_range(t, s->reader->errors->arena));
}

/* What C and Go call these types. */
static const struct {
	const char *word, *meant;
} others[] = {
	{"int", "s32"},
	{"unsigned", "u32"},
	{"uint", "u32"},
	{"long", "s64"},
	{"ssize_t", "s64"},
	{"ulong", "u64"},
	{"size_t", "u64"},
	{"short", "s16"},
	{"char", "s8"},
	{"byte", "u8"},
	{"pointer", "ptr"},
	{"str", "string"},
};

static const char *type_meant(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (!strcmp(others[i].word, word))
			return others[i].meant;
	return word;
}

/* What the type of a pointer in C is meant for, of which `word` is the beginning. */
static const char *pointer_meant(const struct scan *s, const char *word)
{
	bool is_text = !strcmp(word, "char") || strstr(s->at, "char");

	return !strchr(s->at, '*') ? word : is_text ? "string" : "ptr";
}

static bool is_floating(const char *word)
{
	static const char *const names[] = {"float", "double", "f32", "f64", "float32", "float64"};

	return scan_find(word, names, ARRAY_SIZE(names)) < ARRAY_SIZE(names);
}

static enum operand_type find_type(const char *word)
{
	size_t i = 0;

	while (i < N_OPERAND_TYPES && strcmp(types[i].name, word) != 0)
		i++;
	return (enum operand_type)i;
}

const char *operand_type_names(const struct scan *s, const char *word)
{
	const char *names[N_OPERAND_TYPES];

	for (size_t i = 0; i < N_OPERAND_TYPES; i++)
		names[i] = types[i].name;
	return scan_choices(s, type_meant(word), names, N_OPERAND_TYPES);
}

bool operand_type_scan(struct scan *s, enum operand_type *out)
{
	const char *start = s->at, *word = scan_word(s);
	enum operand_type t = find_type(word);

	if (t == N_OPERAND_TYPES)
		return is_floating(word)
			       ? scan_fail(s, start, "floating-point numbers can't be read")
			       : scan_fail(s, start, "a type is expected here: %s",
					 operand_type_names(s, pointer_meant(s, word)));
	*out = t;
	return true;
}
