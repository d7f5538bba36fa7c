// SPDX-License-Identifier: Apache-2.0
/*
 * All six comparisons are one: whether a number lies in a range, or outside. A comparison whose
 * answer is known beforehand is a mistake: `u32 return < 0` was meant for a signed type.
 */
#include "config/condition.h"

enum comparison { LESS_EQUAL, EQUAL, NOT_EQUAL, GREATER_EQUAL, LESS, GREATER };

/* Longer ones first. */
static const char *const comparisons[] = {
	[LESS_EQUAL] = "<=",
	[EQUAL] = "==",
	[NOT_EQUAL] = "!=",
	[GREATER_EQUAL] = ">=",
	[LESS] = "<",
	[GREATER] = ">",
};

static bool scan_comparison(struct scan *s, enum comparison *out)
{
	scan_blanks(s);
	for (size_t i = 0; i < ARRAY_SIZE(comparisons); i++) {
		if (!scan_text(s, comparisons[i]))
			continue;
		*out = (enum comparison)i;
		return true;
	}
	return scan_fail(s, s->at, "%s is expected here",
		*s->at == '=' ? "== (not =)" : "<, <=, ==, !=, >= or >");
}

bool comparison_scan(struct scan *s, enum operand_type t, struct range *out)
{
	uint64_t least = operand_least(t), greatest = operand_greatest(t), number;
	const char *start;
	enum comparison c = EQUAL;

	scan_blanks(s);
	start = s->at;
	if (!scan_comparison(s, &c) || !operand_scan_number(s, t, &number))
		return false;
	if ((c == LESS && number == least) || (c == GREATER && number == greatest))
		return scan_fail(s, start, "that never holds: %s is %s", operand_type_name(t),
			operand_range(t, s->reader->errors->arena));
	if ((c == GREATER_EQUAL && number == least) || (c == LESS_EQUAL && number == greatest))
		return scan_fail(s, start, "that always holds: %s is %s", operand_type_name(t),
			operand_range(t, s->reader->errors->arena));
	*out = (struct range){
		.low = c == LESS || c == LESS_EQUAL ? 0 : number + (c == GREATER),
		.high = c == GREATER || c == GREATER_EQUAL ? UINT64_MAX : number - (c == LESS),
		.is_outside = c == NOT_EQUAL,
	};
	return true;
}

/* In one form, however it was written: the comparison is what stands from start to end. */
static const char *condition_text(
	struct arena *arena, const char *operand, const char *start, const char *end)
{
	size_t n = strspn(start, "<>=!");
	const char *number = start + n + strspn(start + n, " \t\n");

	return arena_printf(
		arena, "%s %.*s %.*s", operand, (int)n, start, (int)(end - number), number);
}

static bool scan_condition(struct scan *s, struct condition *out)
{
	const char *start;
	struct range range;

	if (!operand_scan(s, &out->operand))
		return false;
	if (operand_is_text(out->operand.type))
		return scan_fail(s, s->text, "texts can't be compared");
	scan_blanks(s);
	start = s->at;
	if (!comparison_scan(s, out->operand.type, &range))
		return false;
	out->low = range.low;
	out->high = range.high;
	out->is_outside = range.is_outside;
	out->text = condition_text(s->reader->config->arena, out->operand.text, start, s->at);
	return scan_end(s);
}

void condition_read(struct reader *r, const char *key, const struct node *value, void *out)
{
	struct condition *c = arena_alloc(r->config->arena, sizeof(*c));
	struct scan s = scan_of(r, key, value);

	if (scan_condition(&s, c))
		*(struct condition **)out = c;
}
