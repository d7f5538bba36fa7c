// SPDX-License-Identifier: Apache-2.0
#include "config/scalar.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>

#include "base/nearest.h"
#include "base/number.h"

enum { SERIES_MAX = 10000000 };

void scalar_read_text(struct reader *r, const char *key __attribute__((unused)),
	const struct node *value, void *out)
{
	*(const char **)out = arena_strdup(r->config->arena, value->text);
}

void scalar_read_boolean(struct reader *r __attribute__((unused)),
	const char *key __attribute__((unused)), const struct node *value, void *out)
{
	*(bool *)out = value->text[0] == 't' || value->text[0] == 'T';
}

bool scalar_is_line(struct reader *r, const char *key, const struct node *value)
{
	for (const char *c = value->text; *c; c++) {
		bool is_late_control = *c == '\xc2' && (unsigned char)c[1] < 0xa0;

		if (!iscntrl((unsigned char)*c) && !is_late_control)
			continue;
		located_add(r->errors, value->place,
			"`%s` must be one line without control characters", key);
		return false;
	}
	return true;
}

void scalar_read_line(struct reader *r, const char *key, const struct node *value, void *out)
{
	if (scalar_is_line(r, key, value))
		scalar_read_text(r, key, value, out);
}

/* Digits alone: what 0x10, 1e3 and 010 mean differs between readers of YAML. */
static bool parse_whole(const char *text, uint64_t *out)
{
	if (!*text || text[strspn(text, "0123456789")] || (text[0] == '0' && text[1]))
		return false;
	errno = 0;
	*out = strtoull(text, NULL, 10);
	return !errno;
}

bool scalar_whole(struct reader *r, const char *key, const struct node *value, uint64_t least,
	uint64_t most, uint64_t *out)
{
	uint64_t number;

	if (parse_whole(value->text, &number) && number >= least && number <= most) {
		*out = number;
		return true;
	}
	located_add(r->errors, value->place,
		"`%s` must be a whole number from %" PRIu64 " to %" PRIu64 ", in digits", key,
		least, most);
	return false;
}

void scalar_read_max_series(struct reader *r, const char *key, const struct node *value, void *out)
{
	uint64_t n;

	if (scalar_whole(r, key, value, 1, SERIES_MAX, &n))
		*(uint32_t *)out = (uint32_t)n;
}

static void report_choice(struct reader *r, const char *key, const struct node *value,
	const char *const *names, size_t n)
{
	_cleanup_(buffer_deinit) struct buffer list = {};
	struct nearest nearest = nearest_to(value->text);

	for (size_t i = 0; i < n; i++) {
		buffer_printf(&list, "%s%s", !i ? "" : i + 1 < n ? ", " : " or ", names[i]);
		nearest_offer(&nearest, names[i]);
	}
	if (nearest.best)
		buffer_printf(&list, "; did you mean `%s`?", nearest.best);
	located_add(r->errors, value->place, "`%s` can't be %s: it is %s", key,
		located_quote(r->errors, value->text), buffer_text(&list));
}

int scalar_choice(struct reader *r, const char *key, const struct node *value,
	const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(value->text, names[i]))
			return (int)i;
	report_choice(r, key, value, names, n);
	return -1;
}

bool scalar_factor(const char *text, double *out)
{
	bool is_decimal = !text[strspn(text, "0123456789.")];
	char *end;
	double factor = strtod(text, &end);

	if (!is_decimal || *end || !(factor > 1) || !isfinite(factor))
		return false;
	*out = factor;
	return true;
}

static const char *duration_mistake(const struct node *value, int error)
{
	if (!error)
		return "must be more than nothing";
	if (error == -ERANGE)
		return "is longer than 292 years";
	if (!value->text[strspn(value->text, "0123456789.")])
		return "lacks a unit: write 10ns, 10us, 10ms or 10s";
	return "is no duration of whole nanoseconds: write 250ns, 10us, 5ms or 1.5s";
}

bool scalar_duration(struct reader *r, const char *key, const struct node *value, uint64_t *out_ns)
{
	uint64_t ns = 0;
	int error = number_parse_duration(value->text, &ns);

	if (!error && ns) {
		*out_ns = ns;
		return true;
	}
	located_add(r->errors, value->place, "`%s`: the duration %s %s", key,
		located_quote(r->errors, value->text), duration_mistake(value, error));
	return false;
}
