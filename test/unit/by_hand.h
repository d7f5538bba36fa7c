/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plan and its snapshot made by hand, for tests of what reads them: no file, no kernel.
 * All lives in the arena. Probes, series and sites are numbered from 0, sizes are set first.
 */
#pragma once

#include "base/arena.h"
#include "trace/snapshot.h"

struct by_hand {
	struct arena *arena;
	struct plan plan;
	struct snapshot snapshot;
};

static inline void by_hand_init(struct by_hand *h, size_t n_probes)
{
	*h = (struct by_hand){.arena = arena_new()};
	h->plan.probes = arena_array(h->arena, n_probes, sizeof(*h->plan.probes));
	h->plan.n_probes = n_probes;
	h->snapshot.plan = &h->plan;
	h->snapshot.mode = ATTACH_SESSION;
	h->snapshot.probes = arena_array(h->arena, n_probes, sizeof(*h->snapshot.probes));
	h->snapshot.n_probes = n_probes;
}

static inline void by_hand_deinit(struct by_hand *h)
{
	arena_free(h->arena);
}

static inline void by_hand_probe(
	struct by_hand *h, size_t i, const struct probe *config, size_t n_series, size_t n_sites)
{
	struct plan_probe *p = &h->plan.probes[i];
	struct probe_reading *r = &h->snapshot.probes[i];

	*p = (struct plan_probe){
		.config = config,
		.n_targets = 1,
		.series = arena_array(h->arena, n_series, sizeof(*p->series)),
		.n_series = n_series,
		.sites = arena_array(h->arena, n_sites, sizeof(*p->sites)),
		.n_sites = n_sites,
	};
	*r = (struct probe_reading){
		.probe = p,
		.is_up = true,
		.n_attached = n_sites,
		.series = arena_array(h->arena, n_series, sizeof(*r->series)),
		.n_series = n_series,
	};
}

/* buckets: bounds.n + 1 of them, or NULL. */
static inline struct series_reading *by_hand_series(struct by_hand *h, size_t probe, size_t i,
	const char *binary, const char *function, const uint64_t *buckets)
{
	struct plan_probe *p = &h->plan.probes[probe];
	struct series_reading *r = &h->snapshot.probes[probe].series[i];
	struct plan_series *s = arena_alloc(h->arena, sizeof(*s));

	*s = (struct plan_series){.probe = p,
		.binary = binary,
		.function = function,
		.measures = p->config->measures};
	p->series[i] = s;
	*r = (struct series_reading){.series = s, .buckets = buckets};
	for (size_t k = 0; buckets && k <= p->config->bounds.n; k++)
		r->completed += buckets[k];
	r->calls = r->completed;
	return r;
}

/* refusal NULL: a site to be attached. */
static inline struct plan_site *by_hand_site(struct by_hand *h, size_t probe, size_t i,
	const char *symbol, enum exit_kind exit, const char *refusal)
{
	struct plan_probe *p = &h->plan.probes[probe];
	struct plan_site *site = arena_alloc(h->arena, sizeof(*site));

	*site = (struct plan_site){
		.probe = p, .name = symbol, .symbol = symbol, .exit = exit, .refusal = refusal};
	p->sites[i] = site;
	return site;
}
