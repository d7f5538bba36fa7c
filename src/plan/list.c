// SPDX-License-Identifier: Apache-2.0
/*
 * A plan of one file that is told and not kept. What can be probed in a program of a million
 * functions is too much for a plan, and nobody wants it as one: each site is made by the plan's own
 * rules, shown, and forgotten. So the limits of a plan, which hold for what is kept and for what
 * one probe may cost, are not this one's.
 */
#include "plan/list.h"

#include <errno.h>
#include <string.h>

#include "base/memory.h"
#include "plan/inlined.h"
#include "plan/site.h"

enum { MOST_SYMBOLS = 1 << 22, SITES_BYTES = 1 << 20, PATIENCE_MS = 10000 };

struct inventory {
	struct plan plan; /* nothing but an arena: of the sites shown last */
	struct plan_probe probe;
	struct reasons reasons;
	struct file file;
};

static void inventory_init(
	struct inventory *l, const struct config *config, struct target *t, struct arena *a)
{
	*l = (struct inventory){
		.plan = {.arena = arena_new(), .config = config},
		.probe = {.config = &config->probes[0]},
		.reasons = {.arena = a},
		.file = {.target = t,
			.arena = a,
			.kept = a,
			.most_symbols = MOST_SYMBOLS,
			.is_listed = true},
	};
}

static void inventory_deinit(struct inventory *l)
{
	file_deinit(&l->file);
	reasons_deinit(&l->reasons);
	arena_free(l->plan.arena);
}

/* The name, without a version that need not be written. */
static const char *label_of(const struct plan_site *site, const struct symbol *s, struct arena *a)
{
	if (!s->version || !s->is_default_version)
		return site->name;
	return arena_strndup(a, site->name, strlen(site->name) - strlen("@@") - strlen(s->version));
}

static void visit_all(struct inventory *l, struct selection *s, plan_list_visit *visit, void *data)
{
	for (const struct function *f = s->functions; f; f = f->hh.next) {
		s->code_read = 0;
		const struct plan_site *site = site_new(&l->plan, f);

		visit(site, label_of(site, &f->symbol, l->plan.arena), data);
		if (arena_size(l->plan.arena) > SITES_BYTES) {
			arena_free(l->plan.arena);
			l->plan.arena = arena_new();
		}
	}
}

static struct selection *select_functions(struct inventory *l, const struct config *config,
	const struct plan_rules *rules, struct target *t, struct arena *a)
{
	struct selection *s;

	inventory_init(l, config, t, a);
	s = file_add_selection(&l->file, &l->probe, &l->reasons, 0);
	s->rules = *rules;
	file_select(&l->file);
	return s;
}

/* What is found out in the background may explain what was missed: it is selected anew then. */
int plan_list(const struct config *config, const struct plan_rules *rules, struct target *t,
	plan_list_visit *visit, void *data, struct error *e)
{
	_cleanup_(arena_freep) struct arena *arena = arena_new();
	_cleanup_(inventory_deinit) struct inventory l;
	struct selection *s;
	const char *reason;

	s = select_functions(&l, config, rules, t, arena);
	if (inlined_await(t, PATIENCE_MS, true)) {
		inventory_deinit(&l);
		s = select_functions(&l, config, rules, t, arena);
	}
	visit_all(&l, s, visit, data);
	reason = reasons_text(&l.reasons, arena);
	if (reason)
		error_set(e, -ENOENT, "%s", reason);
	return s->functions ? 0 : -ENOENT;
}
