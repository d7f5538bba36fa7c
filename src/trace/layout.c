// SPDX-License-Identifier: Apache-2.0
/*
 * Shards keep CPUs off each other's cache lines. They multiply memory, which is taken up front, so
 * a bank gets one for each CPU only up to SHARDED_BYTES in all; past that it halves.
 */
#include "trace/layout.h"

#include <string.h>

#include "bpf/calls.h"
#include "config/carried.h"
#include "trace/trace.h"

enum { SHARDED_BYTES = 8 << 20 };

_Static_assert((int)CONFIG_MAX_BOUNDS == (int)CELL_MAX_BOUNDS, "as many bounds as cells");

bool layout_is_timed(const struct plan_series *s)
{
	return s->measures & (MEASURE_DURATION | MEASURE_IN_FLIGHT) ||
	       carried_needs_return(s->probe->config);
}

enum native_kind layout_native(const struct plan_series *s)
{
	return s->probe->config->has_native_histograms && s->measures & MEASURE_DURATION
		       ? NATIVE_DURATIONS
		       : NATIVE_NONE;
}

static uint32_t whole_lines(uint32_t n_words)
{
	uint32_t bytes = n_words * (uint32_t)sizeof(uint64_t);

	return (bytes + CELL_LINE_BYTES - 1) / CELL_LINE_BYTES * CELL_LINE_BYTES;
}

uint32_t layout_buckets(const struct layout *l)
{
	return l->is_timed ? (uint32_t)l->bounds->n + native_ranks(l->native) : 0;
}

/* Words of a cell that carry nothing. */
static uint32_t plain_words(const struct layout *l)
{
	return l->is_timed ? CELL_BUCKETS + layout_buckets(l) : CELL_CALLS + 1;
}

void layout_init_plain(struct layout *out, const struct bounds *bounds)
{
	*out = (struct layout){.is_timed = bounds, .bounds = bounds};
	out->cell_bytes = whole_lines(plain_words(out));
}

void layout_init(struct layout *out, const struct plan_series *s)
{
	const struct probe *p = s->probe->config;

	layout_init_plain(out, layout_is_timed(s) ? &p->bounds : NULL);
	out->native = layout_native(s);
	out->cell_bytes = whole_lines(plain_words(out));
	if (!carried_is_wanted(p))
		return;
	out->n_dynamic = p->dynamic.n ? p->max_series : 0;
	out->cell_bytes = whole_lines(carry_init(&out->carry, p, plain_words(out)));
}

uint32_t layout_shards(uint64_t n_slots, uint32_t cell_bytes, unsigned n_cpus)
{
	uint32_t shards = 1;

	while (shards < n_cpus)
		shards *= 2;
	while (shards > 1 && n_slots * cell_bytes * shards > SHARDED_BYTES)
		shards /= 2;
	return shards;
}

bool layout_is_same(const struct plan_series *a, const struct plan_series *b)
{
	const struct bounds *x = &a->probe->config->bounds, *y = &b->probe->config->bounds;

	if (layout_is_timed(a) != layout_is_timed(b) || layout_native(a) != layout_native(b))
		return false;
	if (carried_is_wanted(a->probe->config) || carried_is_wanted(b->probe->config))
		return a->probe->config == b->probe->config;
	return !layout_is_timed(a) ||
	       (x->n == y->n && !memcmp(x->ns, y->ns, x->n * sizeof(*x->ns)));
}

static uint64_t series_count_like(
	const struct plan *plan, const struct plan_series *like, bool *is_first)
{
	uint64_t n = 0;

	*is_first = true;
	for (size_t p = 0; p < plan->n_probes; p++) {
		for (size_t i = 0; i < plan->probes[p].n_series; i++) {
			const struct plan_series *s = plan->probes[p].series[i];

			if (!layout_is_same(s, like))
				continue;
			if (!n && s != like)
				*is_first = false;
			n++;
		}
	}
	return n;
}

/* All series of one probe are nearly always of one shape, so the first and any that differs from
 * its neighbour are enough to look at. */
static uint64_t bytes_of_shape(
	const struct plan *plan, const struct plan_series *s, unsigned n_cpus)
{
	bool is_first;
	uint64_t n = series_count_like(plan, s, &is_first);
	struct layout l;

	layout_init(&l, s);
	n += l.n_dynamic;
	return is_first ? n * l.cell_bytes * layout_shards(n, l.cell_bytes, n_cpus) : 0;
}

uint64_t trace_map_bytes(const struct plan *plan, unsigned n_cpus)
{
	uint64_t total = 0;

	for (size_t p = 0; p < plan->n_probes; p++) {
		const struct plan_probe *probe = &plan->probes[p];

		for (size_t i = 0; i < probe->n_series; i++)
			if (!i || !layout_is_same(probe->series[i], probe->series[i - 1]))
				total += bytes_of_shape(plan, probe->series[i], n_cpus);
	}
	return total;
}
