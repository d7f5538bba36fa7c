// SPDX-License-Identifier: Apache-2.0
/*
 * Putting a plan into force.
 *
 * Removal comes first: a file that has changed on disk must lose its breakpoints at once. Sites
 * that share links (of probes with very many) also go together: when only some of them are to go,
 * the others are attached again, and their cells stay.
 *
 * Where calls are timed by exits, the kernel takes breakpoint after breakpoint: calls that begin in
 * the midst of that would not be seen to end. So a slot is switched off before the last of its
 * sites go, and on again when all that can be attached are.
 */
#include <errno.h>
#include <string.h>
#include <sys/types.h>

#include "base/memory.h"
#include "trace/state.h"

static void site_free(struct site *s)
{
	target_unref(s->target);
	free(s->key);
	free(s->failure);
	free(s->blind);
	free(s);
}

struct site *site_find(const struct trace *t, const char *key)
{
	struct site *found;

	HASH_FIND_STR(t->sites, key, found);
	return found;
}

static void add_site(struct trace *t, const struct plan_site *planned)
{
	struct site *s = memory_alloc(sizeof(*s));

	s->key = memory_strdup(planned->key);
	s->target = target_ref(planned->target);
	HASH_ADD_KEYPTR(hh, t->sites, s->key, strlen(s->key), s);
}

static bool any(const struct attachment *a, const void *data)
{
	(void)a;
	(void)data;
	return true;
}

static bool loses_a_site(const struct attachment *a, const void *data)
{
	(void)data;
	for (size_t i = 0; i < a->n_sites; i++)
		if (a->sites[i]->is_removed)
			return true;
	return false;
}

static void attachment_free(struct attachment *a)
{
	free(a->sites);
	free(a);
}

/* The sites of an attachment are all in one file. */
static bool is_in_file(const struct attachment *a, const void *data)
{
	const struct target *ours = a->sites[0]->target, *theirs = data;

	return ours->device == theirs->device && ours->inode == theirs->inode;
}

/* Has those slots heed what begins that have an attached site. */
static void slots_switch(struct trace *t)
{
	struct slot *slot;

	for (slot = t->slots.by_identity; slot; slot = slot->hh.next)
		slot->is_attached = false;
	for (struct site *s = t->sites; s; s = s->hh.next)
		if (s->attachment && s->slot)
			s->slot->is_attached = true;
	for (slot = t->slots.by_identity; slot; slot = slot->hh.next)
		__atomic_store_n(&shared_loss(t->shared, slot->number)->is_off, !slot->is_attached,
			__ATOMIC_RELEASE);
}

void detach_where(struct trace *t, attachment_filter *goes, const void *data)
{
	struct attachment **at = &t->attachments;
	struct link_set links = {};

	while (*at) {
		struct attachment *a = *at;

		if (!goes(a, data)) {
			at = &a->next;
			continue;
		}
		*at = a->next;
		link_set_move(&links, &a->links);
		for (size_t i = 0; i < a->n_sites; i++) {
			a->sites[i]->attachment = NULL;
			if (a->sites[i]->slot)
				a->sites[i]->slot->was_left = true;
		}
		attachment_free(a);
	}
	slots_switch(t);
	link_detach(&links, &t->progress);
}

static void forget_removed(struct trace *t)
{
	struct site *s, *next;

	HASH_ITER (hh, t->sites, s, next) {
		if (!s->is_removed)
			continue;
		HASH_DEL(t->sites, s);
		site_free(s);
	}
}

static void remove_and_add(struct trace *t, const struct plan *plan)
{
	struct plan_difference d;

	plan_difference_init(&d, t->plan, plan);
	for (size_t i = 0; i < d.n_removed; i++)
		site_find(t, d.removed[i]->key)->is_removed = true;
	detach_where(t, loses_a_site, NULL);
	forget_removed(t);
	for (size_t i = 0; i < d.n_added; i++)
		add_site(t, d.added[i]);
	plan_difference_deinit(&d);
}

/* The sites of plan that are not attached, in its order: by probe, then target. Those that can't
 * be are marked failed and left out. */
static struct site **pending_sites(
	struct trace *t, const struct plan *plan, const struct error *no_slot, size_t *n)
{
	struct site **pending = memory_alloc((HASH_COUNT(t->sites) + 1) * sizeof(struct site *));

	*n = 0;
	for (size_t p = 0; p < plan->n_probes; p++) {
		bool is_shed = probe_is_shed(t, &plan->probes[p]);

		for (size_t i = 0; i < plan->probes[p].n_sites; i++) {
			const struct plan_site *planned = plan->probes[p].sites[i];
			struct site *s = planned->refusal ? NULL : site_find(t, planned->key);

			if (!s)
				continue;
			s->planned = planned;
			s->slot = slots_find(&t->slots, planned->series);
			if (!s->slot)
				site_set_failure(s, memory_strdup(error_text(no_slot)));
			else if (!s->attachment && !is_shed)
				pending[(*n)++] = s;
		}
	}
	return pending;
}

void attach_planned(struct trace *t, const struct plan *plan)
{
	_cleanup_(error_deinit) struct error no_slot = {};
	_cleanup_(freep) struct site **pending = NULL;
	size_t n;

	slots_provide(&t->slots, t->shared, t->mode, plan, &no_slot);
	slots_charge(&t->slots, plan, &t->costs);
	pending = pending_sites(t, plan, &no_slot, &n);
	attach_pending(t, pending, n);
	slots_switch(t);
}

static void swap_in(struct trace *t, struct plan *plan, struct view *view)
{
	struct plan *old_plan;
	struct view *old_view;

	trace_lock(t);
	old_plan = t->plan;
	old_view = t->view;
	t->plan = plan;
	t->view = view;
	t->generation++;
	trace_unlock(t);
	if (old_plan != plan)
		plan_free(old_plan);
	view_free(old_view);
}

void view_renew(struct trace *t)
{
	swap_in(t, t->plan, view_new(t, t->plan));
}

/* Label sets that calls bring have what the plan's own series leave of the limit. */
static void settle_limit(struct trace *t, const struct plan *plan)
{
	int64_t allowed = (int64_t)plan->config->max_series - (int64_t)plan->n_series;

	shared_allow_series(t->shared, allowed - t->n_sets_allowed);
	t->n_sets_allowed = allowed;
}

void trace_apply(struct trace *t, struct plan *plan)
{
	bool is_reload = t->plan && t->plan->config != plan->config;

	remove_and_add(t, plan);
	if (is_reload) {
		slots_retire_unused(&t->slots, plan);
		forgive_all(t);
	}
	settle_limit(t, plan);
	attach_planned(t, plan);
	swap_in(t, plan, view_new(t, plan));
	slots_bury(&t->slots, t->shared, plan->config);
}

void trace_release(struct trace *t, const struct target *target, const char *why)
{
	const struct attachment *a = t->attachments;

	while (a && !is_in_file(a, target))
		a = a->next;
	if (!a)
		return;
	detach_where(t, is_in_file, target);
	for (struct site *s = t->sites; s; s = s->hh.next)
		if (!s->attachment && !s->failure)
			site_set_failure(s, memory_strdup(why));
	view_renew(t);
}

void trace_on_detach(struct trace *t, void (*tell)(size_t n_left, void *data), void *data)
{
	t->progress = (struct link_progress){tell, data};
}

void trace_detach(struct trace *t)
{
	struct site *s, *next;

	swap_in(t, NULL, NULL);
	detach_where(t, any, NULL);
	HASH_ITER (hh, t->sites, s, next) {
		HASH_DEL(t->sites, s);
		site_free(s);
	}
}
