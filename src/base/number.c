// SPDX-License-Identifier: Apache-2.0
#include "base/number.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

void number_put_unsigned(struct buffer *b, uint64_t value)
{
	char digits[20];
	size_t i = sizeof(digits);

	do
		digits[--i] = (char)('0' + value % 10);
	while (value /= 10);
	buffer_append(b, digits + i, sizeof(digits) - i);
}

/* The fewest significant digits that read back as value: d.ddde±xx in out. */
static void shortest_scientific(double value, char *out, size_t size)
{
	for (int precision = 0; precision < 17; precision++) {
		snprintf(out, size, "%.*e", precision, value);
		if (strtod(out, NULL) == value)
			return;
	}
}

void number_put_double(struct buffer *b, double value)
{
	char scientific[40];
	long exponent, n_digits;
	char *e;

	if (isnan(value)) {
		buffer_puts(b, "NaN");
		return;
	}
	if (isinf(value)) {
		buffer_puts(b, value > 0 ? "+Inf" : "-Inf");
		return;
	}
	shortest_scientific(value, scientific, sizeof(scientific));
	e = strchr(scientific, 'e');
	exponent = strtol(e + 1, NULL, 10);
	n_digits = 0;
	for (const char *c = scientific; c < e; c++)
		n_digits += isdigit((unsigned char)*c) != 0;
	if (exponent < -4 || exponent >= 6) {
		buffer_puts(b, scientific);
		return;
	}
	n_digits -= exponent + 1; /* of the fraction, from here on */
	buffer_printf(b, "%.*f", n_digits > 0 ? (int)n_digits : 0, value);
}

void number_put_seconds(struct buffer *b, uint64_t value_ns)
{
	char fraction[16];
	size_t n = 9;

	number_put_unsigned(b, value_ns / 1000000000);
	if (!(value_ns % 1000000000))
		return;
	snprintf(fraction, sizeof(fraction), "%09" PRIu64, value_ns % 1000000000);
	while (fraction[n - 1] == '0')
		n--;
	buffer_putc(b, '.');
	buffer_append(b, fraction, n);
}

static uint64_t unit_ns(const char *unit)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcmp(unit, units[i].name))
			return units[i].ns;
	return 0;
}

/* Adds the fraction digits at *c, each worth a tenth of the one before, to *ns. */
static int parse_fraction(const char **c, uint64_t unit, uint64_t *ns)
{
	if (!isdigit((unsigned char)**c))
		return -EINVAL;
	for (; isdigit((unsigned char)**c); (*c)++) {
		uint64_t digit = (uint64_t)(**c - '0');

		if (digit && unit < 10)
			return -EINVAL;
		unit /= 10;
		*ns += digit * unit;
	}
	return 0;
}

int number_parse_duration(const char *text, uint64_t *out_ns)
{
	const char *c = text, *unit_text = text + strspn(text, "0123456789.");
	uint64_t unit = unit_ns(unit_text), whole = 0, fraction_ns = 0;

	if (!unit || !isdigit((unsigned char)*c))
		return -EINVAL;
	for (; isdigit((unsigned char)*c); c++)
		if (__builtin_mul_overflow(whole, 10, &whole) ||
			__builtin_add_overflow(whole, (uint64_t)(*c - '0'), &whole))
			return -ERANGE;
	if (*c == '.') {
		c++;
		if (parse_fraction(&c, unit, &fraction_ns))
			return -EINVAL;
	}
	if (c != unit_text)
		return -EINVAL;
	if (__builtin_mul_overflow(whole, unit, &whole) ||
		__builtin_add_overflow(whole, fraction_ns, &whole) || whole > INT64_MAX)
		return -ERANGE;
	*out_ns = whole;
	return 0;
}
