/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a scrape says, before it is text: families of samples. An encoder turns one family after
 * the other into bytes and knows nothing of probes; what makes families knows nothing of formats.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "metric/label.h"

enum family_type { FAMILY_COUNTER, FAMILY_GAUGE, FAMILY_HISTOGRAM };

/* Which member of a sample's value holds it. */
enum sample_form { SAMPLE_INTEGER, SAMPLE_NUMBER, SAMPLE_HISTOGRAM };

/* What a histogram's sum is. */
enum sum_form { SUM_SECONDS, SUM_SIGNED, SUM_UNSIGNED };

/* A histogram's bounds and, for each of the n + 1 buckets, `le="bound in seconds"`; of size 0 where
 * the next bucket's would be the same. Shared by all series whose bounds are equal. */
struct histogram_bounds {
	size_t n; /* bounds, +Inf not among them */
	enum sum_form sum;
	const struct label_text {
		const char *text;
		size_t size;
	} * le;
};

struct sample {
	const struct label_set *labels; /* or NULL */
	const struct label_set *more;   /* behind labels; or NULL */
	union {
		uint64_t integer;
		double number;
		struct {
			const struct histogram_bounds *bounds;
			const uint64_t *buckets; /* bounds->n + 1, not cumulative */
			uint64_t sum;            /* of durations: ns */
		} histogram;
	};
};

/* Never without samples: a family that has none is left out. */
struct family {
	const char *name;
	const char *help; /* escaped; see label_escape_help() */
	enum family_type type;
	enum sample_form form; /* of all its samples */
	const struct sample *samples;
	size_t n_samples;
};

/* Samples under way to a family; {} is a valid empty list. Clearing keeps the memory. */
struct samples {
	struct sample *items;
	size_t n, capacity;
};

void samples_deinit(struct samples *s);

static inline void samples_clear(struct samples *s)
{
	s->n = 0;
}

/* A zeroed sample at the end, for the caller to fill before the next is added. */
struct sample *samples_add(
	struct samples *s, const struct label_set *labels, const struct label_set *more);
