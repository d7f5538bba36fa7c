// SPDX-License-Identifier: Apache-2.0
#include "config/overhead.h"

#include <math.h>

static const double least = 0.001, most = 4096;

void overhead_default(struct overhead *out)
{
	*out = (struct overhead){.per_probe = INFINITY, .total = INFINITY};
}

/* Digits and a point alone: no exponents, which are no way to write cores. */
static bool parse_cores(const char *text, double *out)
{
	char *end;

	if (!strcmp(text, "none")) {
		*out = INFINITY;
		return true;
	}
	if (text[strspn(text, "0123456789.")])
		return false;
	*out = strtod(text, &end);
	return end != text && !*end && *out >= least && *out <= most;
}

static void read_cores(struct reader *r, const char *key, const struct node *value, void *out)
{
	double cores;

	if (parse_cores(value->text, &cores))
		*(double *)out = cores;
	else
		located_add(r->errors, value->place,
			"`%s` must be a number of CPU cores from %g to %g, such as 0.1, or none",
			key, least, most);
}

static const struct field rows[] = {
	{"per_probe", NODE_SCALAR, read_cores, offsetof(struct overhead, per_probe)},
	{"total", NODE_SCALAR, read_cores, offsetof(struct overhead, total)},
};

void overhead_read(struct reader *r, const char *key, const struct node *value, void *out)
{
	const struct fields fields = {key, rows, ARRAY_SIZE(rows)};

	fields_read(r, &fields, value, out);
}
