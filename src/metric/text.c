// SPDX-License-Identifier: Apache-2.0
/*
 * The one place where the number of series matters for time: a scrape of 100,000 lines spends
 * nearly all of it here. Room for a sample is reserved once, then ready pieces (names, labels,
 * `le`) and digits are added without further checks. The lines of a histogram differ in `le` and
 * value alone: what they begin with is copied from the first.
 */
#include "metric/text.h"

#include <string.h>

#include "base/number.h"

/* Longest of what the values' functions write: 18446744073.709551615, -2.2250738585072014e-308. */
enum { LONGEST_VALUE = 24, LONGEST_SUFFIX = sizeof("_bucket") - 1, PUNCTUATION = sizeof("{,} \n") };

/* Only within what was reserved. */
static inline void add(struct buffer *out, const char *text, size_t n)
{
	memcpy(out->data + out->size, text, n);
	out->size += n;
}

static inline void add_text(struct buffer *out, const char *text)
{
	add(out, text, strlen(text));
}

static void add_integer(struct buffer *out, uint64_t value)
{
	char digits[LONGEST_VALUE];
	size_t i = sizeof(digits);

	do
		digits[--i] = (char)('0' + value % 10);
	while (value /= 10);
	add(out, digits + i, sizeof(digits) - i);
}

static size_t labels_size(const struct sample *s)
{
	return (s->labels ? s->labels->text_size : 0) + (s->more ? s->more->text_size : 0);
}

static void add_labels(struct buffer *out, const struct sample *s)
{
	if (s->labels)
		add(out, s->labels->text, s->labels->text_size);
	if (s->labels && s->more)
		add_text(out, ",");
	if (s->more)
		add(out, s->more->text, s->more->text_size);
}

/* `name_suffix{labels} ` */
static void add_series(
	struct buffer *out, const struct family *f, const char *suffix, const struct sample *s)
{
	add_text(out, f->name);
	add_text(out, suffix);
	if (labels_size(s)) {
		add_text(out, "{");
		add_labels(out, s);
		add_text(out, "}");
	}
	add_text(out, " ");
}

static size_t line_size(const struct family *f, const struct sample *s)
{
	return strlen(f->name) + LONGEST_SUFFIX + labels_size(s) + PUNCTUATION + LONGEST_VALUE;
}

static void put_integer(struct buffer *out, const struct family *f, const struct sample *s)
{
	buffer_reserve(out, line_size(f, s));
	add_series(out, f, "", s);
	add_integer(out, s->integer);
	add_text(out, "\n");
}

static void put_number(struct buffer *out, const struct family *f, const struct sample *s)
{
	buffer_reserve(out, line_size(f, s));
	add_series(out, f, "", s);
	number_put_double(out, s->number);
	buffer_putc(out, '\n');
}

static size_t le_size(const struct histogram_bounds *bounds)
{
	size_t size = 0;

	for (size_t i = 0; i <= bounds->n; i++)
		size += bounds->le[i].size;
	return size;
}

/* The cumulative buckets; returns the count of all. */
static uint64_t put_buckets(struct buffer *out, const struct family *f, const struct sample *s)
{
	const struct histogram_bounds *bounds = s->histogram.bounds;
	size_t n_lines = bounds->n + 1, start = out->size, shared_size;
	uint64_t count = 0;

	buffer_reserve(out, n_lines * line_size(f, s) + le_size(bounds));
	add_text(out, f->name);
	add_text(out, "_bucket{");
	add_labels(out, s);
	if (labels_size(s))
		add_text(out, ",");
	shared_size = out->size - start;
	for (size_t i = 0; i < n_lines; i++) {
		count += s->histogram.buckets[i];
		if (!bounds->le[i].size)
			continue;
		if (out->size > start + shared_size)
			add(out, out->data + start, shared_size);
		add(out, bounds->le[i].text, bounds->le[i].size);
		add_text(out, "} ");
		add_integer(out, count);
		add_text(out, "\n");
	}
	return count;
}

static void put_sum(struct buffer *out, enum sum_form form, uint64_t sum)
{
	bool is_negative = form == SUM_SIGNED && (int64_t)sum < 0;

	if (form == SUM_SECONDS) {
		number_put_seconds(out, sum);
		return;
	}
	if (is_negative)
		buffer_putc(out, '-');
	number_put_unsigned(out, is_negative ? -sum : sum);
}

static void put_histogram(struct buffer *out, const struct family *f, const struct sample *s)
{
	uint64_t count = put_buckets(out, f, s);

	buffer_reserve(out, 2 * line_size(f, s));
	add_series(out, f, "_sum", s);
	put_sum(out, s->histogram.bounds->sum, s->histogram.sum);
	buffer_putc(out, '\n');
	add_series(out, f, "_count", s);
	add_integer(out, count);
	add_text(out, "\n");
}

static void put_head(struct buffer *out, const struct family *f)
{
	static const char *const types[] = {
		[FAMILY_COUNTER] = "counter",
		[FAMILY_GAUGE] = "gauge",
		[FAMILY_HISTOGRAM] = "histogram",
	};
	const char *const pieces[] = {
		"# HELP ", f->name, " ", f->help, "\n# TYPE ", f->name, " ", types[f->type], "\n"};

	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++)
		buffer_puts(out, pieces[i]);
}

void text_put_family(struct buffer *out, const struct family *f)
{
	static void (*const put[])(
		struct buffer *, const struct family *, const struct sample *) = {
		[SAMPLE_INTEGER] = put_integer,
		[SAMPLE_NUMBER] = put_number,
		[SAMPLE_HISTOGRAM] = put_histogram,
	};

	put_head(out, f);
	for (size_t i = 0; i < f->n_samples; i++)
		put[f->form](out, f, &f->samples[i]);
	out->data[out->size] = '\0';
}
