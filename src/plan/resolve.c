// SPDX-License-Identifier: Apache-2.0
/*
 * Making a plan: which files do the probes' paths mean, what do their patterns select in each file
 * (all probes of a file at once), and which sites and series follow. What a plan keeps lies in
 * its own arena; what only leads there, in a scratch arena that goes when the plan is made.
 */
#include "base/memory.h"
#include "plan/request.h"
#include "plan/series.h"

struct resolving {
	struct plan *plan;
	struct world *world;
	struct arena *scratch;
	struct file *files;             /* uthash by target */
	struct selection ***selections; /* for each probe, for each of its targets */
	struct reasons *reasons;        /* for each probe */
	size_t n_probes;
};

static void resolving_deinit(struct resolving *r)
{
	struct file *f, *next;

	HASH_ITER (hh, r->files, f, next) {
		HASH_DEL(r->files, f);
		file_deinit(f);
	}
	for (size_t i = 0; i < r->n_probes; i++)
		reasons_deinit(&r->reasons[i]);
	arena_free(r->scratch);
	plan_free(r->plan);
}

static void resolving_init(struct resolving *r, const struct config *config, struct world *world)
{
	struct plan *p = memory_alloc(sizeof(*p));

	p->arena = arena_new();
	p->config = config;
	p->n_probes = config->n_probes;
	p->probes = arena_array(p->arena, p->n_probes, sizeof(*p->probes));
	*r = (struct resolving){.plan = p, .world = world, .scratch = arena_new()};
	r->n_probes = p->n_probes;
	r->selections = arena_array(r->scratch, p->n_probes, sizeof(struct selection **));
	r->reasons = arena_array(r->scratch, p->n_probes, sizeof(*r->reasons));
	for (size_t i = 0; i < p->n_probes; i++) {
		p->probes[i].config = &config->probes[i];
		r->reasons[i].arena = r->scratch;
	}
}

/* The file of a target; takes the reference over. */
static struct file *file_of(struct resolving *r, struct target *t)
{
	struct plan *p = r->plan;
	struct file *f;

	HASH_FIND_PTR(r->files, &t, f);
	if (f) {
		target_unref(t);
		return f;
	}
	p->targets = memory_grow(p->targets, p->n_targets + 1, sizeof(struct target *));
	p->targets[p->n_targets++] = t;
	f = arena_alloc(r->scratch, sizeof(*f));
	f->target = t;
	f->world = r->world;
	f->arena = r->scratch;
	f->kept = p->arena;
	f->most_symbols = SYMBOLS_OF_A_PLAN;
	HASH_ADD_PTR(r->files, target, f);
	return f;
}

/* Finds the probe's files and notes what it wants of each. */
static int find_targets(struct resolving *r, size_t index, struct error *e)
{
	_cleanup_(error_deinit) struct error why = {};
	_cleanup_(freep) struct target **targets = NULL;
	struct plan_probe *probe = &r->plan->probes[index];
	int code = world_find(r->world, probe->config->binary, &targets, &probe->n_targets, &why);

	if (code)
		return error_set(e, code, "%s", error_text(&why));
	if (why.text)
		reasons_troublef(&r->reasons[index], "%s", why.text);
	probe->targets = arena_array(r->plan->arena, probe->n_targets, sizeof(struct target *));
	r->selections[index] =
		arena_array(r->scratch, probe->n_targets, sizeof(struct selection *));
	for (size_t i = 0; i < probe->n_targets; i++) {
		struct file *f = file_of(r, targets[i]);

		probe->targets[i] = f->target;
		r->selections[index][i] = file_add_selection(f, probe, &r->reasons[index], i);
		r->selections[index][i]->rules = r->plan->rules;
	}
	return 0;
}

/* Whether the probe has files to wait for. */
static bool is_awaiting(const struct resolving *r, const struct plan_probe *p)
{
	for (size_t i = 0; i < p->n_targets; i++)
		if (target_trouble(p->targets[i]))
			return true;
	return !p->n_targets && !world_is_odd(r->world, p->config->binary);
}

static void conclude(struct resolving *r, size_t index)
{
	struct plan_probe *p = &r->plan->probes[index];
	const struct reasons *reasons = &r->reasons[index];

	if (p->n_series)
		p->state = reasons->troubles ? PLAN_PARTLY : PLAN_READY;
	else
		p->state = is_awaiting(r, p) ? PLAN_WAITING : PLAN_REFUSED;
	p->reason = reasons_text(reasons, r->plan->arena);
}

/* Of large programs these are most of what a plan takes. */
static void forget_names(struct selection *const *selections, size_t n)
{
	for (size_t i = 0; i < n; i++)
		elf_file_forget_names(selections[i]->file->elf);
}

int plan_resolve(struct plan **out, const struct config *config, const struct plan_rules *rules,
	struct world *world, struct error *e)
{
	_cleanup_(resolving_deinit) struct resolving r = {};
	int code;

	resolving_init(&r, config, world);
	r.plan->rules = *rules;
	for (size_t i = 0; i < r.plan->n_probes; i++) {
		code = find_targets(&r, i, e);
		if (code)
			return code;
	}
	for (struct file *f = r.files; f; f = f->hh.next)
		file_select(f);
	for (size_t i = 0; i < r.plan->n_probes; i++) {
		struct plan_probe *p = &r.plan->probes[i];

		probe_place(r.plan, p, r.selections[i], p->n_targets, &r.reasons[i]);
		forget_names(r.selections[i], p->n_targets);
		conclude(&r, i);
	}
	*out = TAKE_PTR(r.plan);
	return 0;
}
