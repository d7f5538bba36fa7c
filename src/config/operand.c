// SPDX-License-Identifier: Apache-2.0
#include "config/operand.h"

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

/* Of one more digit where it may be numbered. */
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

bool operand_scan_number(struct scan *s, enum operand_type t, uint64_t *out)
{
	struct integer number = {.magnitude = 1};
	const char *start;
	int place;

	scan_blanks(s);
	start = s->at;
	if (t == OPERAND_BOOL && scan_text(s, "false"))
		number.magnitude = 0;
	else if (!(t == OPERAND_BOOL && scan_text(s, "true")) && !scan_integer(s, &number))
		return false;
	place = operand_place(t, number, out);
	if (!place)
		return true;
	return scan_fail(s, start, "no %s is so %s: it is %s", operand_type_name(t),
		place < 0 ? "small" : "large", operand_range(t, s->reader->errors->arena));
}

static bool scan_type(struct scan *s, enum operand_type *out)
{
	const char *start = s->at, *word = scan_word(s), *names[N_OPERAND_TYPES];

	for (size_t i = 0; i < N_OPERAND_TYPES; i++) {
		names[i] = types[i].name;
		if (strcmp(names[i], word) != 0)
			continue;
		*out = (enum operand_type)i;
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++)
		if (!strcmp(sources[i], word))
			return scan_fail(s, start, "a type is expected before `%s`: %s", word,
				scan_choices(s, "", names, N_OPERAND_TYPES));
	return scan_fail(s, start, "a type is expected here: %s",
		scan_choices(s, word, names, N_OPERAND_TYPES));
}

static bool scan_source(struct scan *s, struct operand *out)
{
	const char *start = s->at, *word = scan_word(s);

	for (size_t i = 0; i < ARRAY_SIZE(sources); i++) {
		if (strcmp(sources[i], word) != 0)
			continue;
		out->is_return = i >= CONFIG_MAX_ARGUMENTS;
		out->number = (uint8_t)(i % CONFIG_MAX_ARGUMENTS + 1);
		return true;
	}
	return scan_fail(s, start, "arg1 to arg8, return, or return2 to return8 is expected here");
}

static bool scan_offset(struct scan *s, struct operand *out)
{
	const char *start;
	struct integer number;

	scan_blanks(s);
	start = s->at;
	if (!scan_integer(s, &number))
		return false;
	if (number.magnitude > INT32_MAX)
		return scan_fail(s, start, "an offset is at most %d bytes", INT32_MAX);
	scan_blanks(s);
	if (!scan_text(s, "]"))
		return scan_fail(s, s->at, "] is expected here");
	if (out->n_offsets == CONFIG_MAX_OFFSETS)
		return scan_fail(s, start, "%d offsets are the most", CONFIG_MAX_OFFSETS);
	out->offsets[out->n_offsets++] =
		number.is_negative ? -(int32_t)number.magnitude : (int32_t)number.magnitude;
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

bool operand_scan(struct scan *s, struct operand *out)
{
	struct operand o = {};
	const char *start;

	scan_blanks(s);
	start = s->at;
	if (!scan_type(s, &o.type))
		return false;
	scan_blanks(s);
	if (!scan_source(s, &o) || !scan_offsets(s, &o))
		return false;
	o.text = arena_strndup(s->reader->config->arena, start, (size_t)(s->at - start));
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
