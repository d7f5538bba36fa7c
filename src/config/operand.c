// SPDX-License-Identifier: Apache-2.0
/*
 * A type is always written, because the same register means other numbers to `int` and `unsigned`:
 * -5 must never be read as 4294967291.
 */
#include "config/operand.h"

#include <ctype.h>
#include <inttypes.h>

#include "base/nearest.h"

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

static const char *const sources[] = {
	"arg1",
	"arg2",
	"arg3",
	"arg4",
	"arg5",
	"arg6",
	"arg7",
	"arg8",
	"return",
	"return2",
	"return3",
	"return4",
	"return5",
	"return6",
	"return7",
	"return8",
};

_Static_assert(ARRAY_SIZE(sources) == 2 * CONFIG_MAX_ARGUMENTS, "arguments and results");

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

/* Index of word among n names, or n. */
static size_t find(const char *word, const char *const *names, size_t n)
{
	size_t i = 0;

	while (i < n && strcmp(names[i], word) != 0)
		i++;
	return i;
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

static bool is_floating(const char *word)
{
	static const char *const names[] = {"float", "double", "f32", "f64", "float32", "float64"};

	return find(word, names, ARRAY_SIZE(names)) < ARRAY_SIZE(names);
}

static bool fail_type(
	const struct scan *s, const char *start, const char *word, const char *const *names)
{
	if (is_floating(word))
		return scan_fail(s, start, "floating-point numbers can't be read");
	if (find(word, sources, ARRAY_SIZE(sources)) < ARRAY_SIZE(sources))
		return scan_fail(s, start, "a type is expected before `%s`: %s", word,
			scan_choices(s, "", names, N_OPERAND_TYPES));
	return scan_fail(s, start, "a type is expected here: %s",
		scan_choices(s, type_meant(word), names, N_OPERAND_TYPES));
}

static bool scan_type(struct scan *s, enum operand_type *out)
{
	const char *start = s->at, *word = scan_word(s), *names[N_OPERAND_TYPES];
	size_t i;

	for (i = 0; i < N_OPERAND_TYPES; i++)
		names[i] = types[i].name;
	i = find(word, names, N_OPERAND_TYPES);
	if (i == N_OPERAND_TYPES)
		return fail_type(s, start, word, names);
	*out = (enum operand_type)i;
	return true;
}

/* "; did you mean ...?", but not of a number that there isn't: arg9 is no slip for arg1. */
static const char *source_meant(const struct scan *s, const char *word)
{
	bool is_result = !strcmp(word, "ret") || !strcmp(word, "retval") || !strcmp(word, "result");
	struct nearest nearest = nearest_to(is_result ? "return" : word);

	for (size_t i = 0; i < ARRAY_SIZE(sources) && !strpbrk(word, "09"); i++)
		nearest_offer(&nearest, sources[i]);
	if (!nearest.best)
		return "";
	return arena_printf(s->reader->errors->arena, "; did you mean `%s`?", nearest.best);
}

static bool scan_source(struct scan *s, struct operand *out)
{
	const char *start = s->at, *word = scan_word(s);
	size_t i = find(word, sources, ARRAY_SIZE(sources));

	if (i == ARRAY_SIZE(sources))
		return scan_fail(s, start,
			"arg1 to arg8, return, or return2 to return8 is expected here%s",
			source_meant(s, word));
	out->is_return = i >= CONFIG_MAX_ARGUMENTS;
	out->number = (uint8_t)(i % CONFIG_MAX_ARGUMENTS + 1);
	return true;
}

static bool scan_offset(struct scan *s, struct operand *out)
{
	const char *start;
	struct integer number;

	scan_blanks(s);
	start = s->at;
	if (out->n_offsets == CONFIG_MAX_OFFSETS)
		return scan_fail(s, start, "%d offsets are the most", CONFIG_MAX_OFFSETS);
	if (!scan_integer(s, &number))
		return false;
	if (number.magnitude > (uint64_t)INT32_MAX + number.is_negative)
		return scan_fail(s, start, "an offset is %d to %d", INT32_MIN, INT32_MAX);
	scan_blanks(s);
	if (!scan_text(s, "]"))
		return scan_fail(s, s->at, "] is expected here");
	out->offsets[out->n_offsets++] = (int32_t)(number.is_negative ? -(int64_t)number.magnitude
								      : (int64_t)number.magnitude);
	return true;
}

static bool scan_offsets(struct scan *s, struct operand *out)
{
	const char *end;

	do {
		end = s->at;
		scan_blanks(s);
		if (!scan_text(s, "[")) {
			s->at = end;
			return true;
		}
	} while (scan_offset(s, out));
	return false;
}

/* In one form, however it was written. */
static const char *operand_text(struct arena *arena, const struct operand *o)
{
	size_t source = o->is_return * CONFIG_MAX_ARGUMENTS + o->number - 1u;
	_cleanup_(buffer_deinit) struct buffer text = {};

	buffer_printf(&text, "%s %s", types[o->type].name, sources[source]);
	for (size_t i = 0; i < o->n_offsets; i++)
		buffer_printf(&text, "[%" PRId32 "]", o->offsets[i]);
	return arena_strdup(arena, buffer_text(&text));
}

bool operand_scan(struct scan *s, struct operand *out)
{
	struct operand o = {};

	scan_blanks(s);
	if (!scan_type(s, &o.type))
		return false;
	scan_blanks(s);
	if (!scan_source(s, &o) || !scan_offsets(s, &o))
		return false;
	o.text = operand_text(s->reader->config->arena, &o);
	*out = o;
	return true;
}

void operand_read(struct reader *r, const char *key, const struct node *value, void *out)
{
	struct scan s = scan_of(r, key, value);
	struct operand o;

	if (operand_scan(&s, &o) && scan_end(&s))
		*(struct operand *)out = o;
}
