// SPDX-License-Identifier: Apache-2.0
/*
 * An operand is written as one thinks of it: what it is, where it starts, and which pointers lead
 * to it. It has one text, however many blanks and in which base numbers were written, because that
 * tells series apart.
 */
#include "config/operand.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/nearest.h"

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
	size_t i = scan_find(word, sources, ARRAY_SIZE(sources));

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

	buffer_printf(&text, "%s %s", operand_type_name(o->type), sources[source]);
	for (size_t i = 0; i < o->n_offsets; i++)
		buffer_printf(&text, "[%" PRId32 "]", o->offsets[i]);
	return arena_strdup(arena, buffer_text(&text));
}

/* The source that comes next, where a type should stand; or NULL. */
static const char *find_bare_source(struct scan *s)
{
	const char *start = s->at, *word = scan_word(s);

	s->at = start;
	return scan_find(word, sources, ARRAY_SIZE(sources)) < ARRAY_SIZE(sources) ? word : NULL;
}

bool operand_scan(struct scan *s, struct operand *out)
{
	struct operand o = {};
	const char *bare;

	scan_blanks(s);
	bare = find_bare_source(s);
	if (bare)
		return scan_fail(s, s->at, "a type is expected before `%s`: %s", bare,
			operand_type_names(s, ""));
	if (!operand_type_scan(s, &o.type))
		return false;
	scan_blanks(s);
	if (!scan_source(s, &o) || !scan_offsets(s, &o))
		return false;
	o.text = operand_text(s->reader->config->arena, &o);
	*out = o;
	return true;
}

bool operand_is_written(const char *text)
{
	for (size_t t = 0; t < N_OPERAND_TYPES; t++) {
		const char *name = operand_type_name((enum operand_type)t);
		size_t n = strlen(name);

		if (strncmp(text, name, n) != 0 || !isblank((unsigned char)text[n]))
			continue;
		text += n + strspn(text + n, " \t");
		return !strncmp(text, "arg", 3) || !strncmp(text, "return", 6);
	}
	return false;
}

void operand_read(struct reader *r, const char *key, const struct node *value, void *out)
{
	struct scan s = scan_of(r, key, value);
	struct operand o;

	if (operand_scan(&s, &o) && scan_end(&s))
		*(struct operand *)out = o;
}
