// SPDX-License-Identifier: Apache-2.0
/*
 * Putting a plan into force.
 *
 * Sites that go together (one probe, one file, one bank) are attached by one call. When some of
 * them are to go, the others of that call go with them for a moment and are attached again: their
 * cells stay. In perf mode every site is a call of its own.
 *
 * Removal comes first: a file that has changed on disk must lose its breakpoints at once.
 *
 * When the kernel refuses a group, halves are tried, so that one bad site costs no other; what is
 * left over is marked failed with the kernel's reason.
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
	free(s);
}

static struct site *find_site(const struct trace *t, const char *key)
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

static bool loses_a_site(const struct attachment *a)
{
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

/* Detaches every attachment that `all` or a removed site asks for. */
static void detach(struct trace *t, bool all)
{
	struct attachment **at = &t->attachments;
	struct link_set links = {};

	while (*at) {
		struct attachment *a = *at;

		if (!all && !loses_a_site(a)) {
			at = &a->next;
			continue;
		}
		*at = a->next;
		link_set_move(&links, &a->links);
		for (size_t i = 0; i < a->n_sites; i++)
			a->sites[i]->attachment = NULL;
		attachment_free(a);
	}
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
		find_site(t, d.removed[i]->key)->is_removed = true;
	detach(t, false);
	forget_removed(t);
	for (size_t i = 0; i < d.n_added; i++)
		add_site(t, d.added[i]);
	plan_difference_deinit(&d);
}

static void set_failure(struct site *s, char *text)
{
	free(s->failure);
	s->failure = text;
}

/* The sites of plan that are not attached, in its order: by probe, then target. Those that can't
 * be are marked failed and left out. */
static struct site **pending_sites(
	struct trace *t, const struct plan *plan, const struct error *no_slot, size_t *n)
{
	struct site **pending = memory_alloc((HASH_COUNT(t->sites) + 1) * sizeof(struct site *));

	*n = 0;
	for (size_t p = 0; p < plan->n_probes; p++) {
		for (size_t i = 0; i < plan->probes[p].n_sites; i++) {
			const struct plan_site *planned = plan->probes[p].sites[i];
			struct site *s = planned->refusal ? NULL : find_site(t, planned->key);

			if (!s)
				continue;
			s->planned = planned;
			s->slot = slots_find(&t->slots, planned->series);
			if (!s->slot)
				set_failure(s, memory_strdup(error_text(no_slot)));
			else if (!s->attachment)
				pending[(*n)++] = s;
		}
	}
	return pending;
}

/* The file may have been written since the plan read it. */
static bool is_as_planned(const struct plan_site *p)
{
	uint8_t bytes[sizeof(p->bytes)];

	return !target_has_changed(p->target) &&
	       pread(p->target->fd, bytes, p->n_bytes, (off_t)p->offset) == p->n_bytes &&
	       !memcmp(bytes, p->bytes, p->n_bytes);
}

static void keep_attachment(struct trace *t, struct link_set *links, struct site **sites, size_t n)
{
	struct attachment *a = memory_alloc(sizeof(*a));

	a->links = *links;
	a->sites = memory_alloc(n * sizeof(*a->sites));
	memcpy(a->sites, sites, n * sizeof(*a->sites));
	a->n_sites = n;
	for (size_t i = 0; i < n; i++) {
		sites[i]->attachment = a;
		set_failure(sites[i], NULL);
	}
	a->next = t->attachments;
	t->attachments = a;
}

static int attach_all(struct trace *t, struct site **sites, size_t n, struct error *e)
{
	_cleanup_(freep) uint64_t *offsets = memory_alloc(n * sizeof(*offsets));
	_cleanup_(freep) uint64_t *cookies = memory_alloc(n * sizeof(*cookies));
	struct link_set links = {};
	char path[32];
	int r;

	for (size_t i = 0; i < n; i++) {
		offsets[i] = sites[i]->planned->offset;
		cookies[i] = sites[i]->slot->number;
	}
	target_kernel_path(sites[0]->target, path, sizeof(path));
	r = link_attach(&links, &sites[0]->slot->bank->programs, path, offsets, cookies, n, e);
	if (!r)
		keep_attachment(t, &links, sites, n);
	return r;
}

static void attach_or_halve(struct trace *t, struct site **sites, size_t n)
{
	_cleanup_(error_deinit) struct error e = {};
	size_t half = n / 2;

	if (!attach_all(t, sites, n, &e))
		return;
	if (n == 1) {
		set_failure(sites[0], memory_strdup(error_text(&e)));
		return;
	}
	attach_or_halve(t, sites, half);
	attach_or_halve(t, sites + half, n - half);
}

static bool goes_with(const struct trace *t, const struct site *a, const struct site *b)
{
	return t->mode != ATTACH_PERF && a->planned->probe == b->planned->probe &&
	       a->target == b->target && a->slot->bank == b->slot->bank &&
	       a->planned->exit == b->planned->exit;
}

static void attach_pending(struct trace *t, struct site **pending, size_t n)
{
	size_t n_group;

	for (size_t i = 0; i < n; i++) {
		if (pending[i] && !is_as_planned(pending[i]->planned)) {
			set_failure(pending[i],
				memory_strdup("the file has changed since it was read"));
			pending[i] = NULL;
		}
	}
	for (size_t i = 0; i < n; i++) {
		_cleanup_(freep) struct site **group = NULL;

		if (!pending[i])
			continue;
		group = memory_alloc((n - i) * sizeof(struct site *));
		group[0] = pending[i];
		n_group = 1;
		for (size_t j = i + 1; j < n && t->mode != ATTACH_PERF; j++) {
			if (!pending[j] || !goes_with(t, group[0], pending[j]))
				continue;
			group[n_group++] = pending[j];
			pending[j] = NULL;
		}
		attach_or_halve(t, group, n_group);
	}
}

static void attach_planned(struct trace *t, const struct plan *plan)
{
	_cleanup_(error_deinit) struct error no_slot = {};
	_cleanup_(freep) struct site **pending = NULL;
	size_t n;

	slots_provide(&t->slots, t->shared, t->mode, plan, &no_slot);
	pending = pending_sites(t, plan, &no_slot, &n);
	attach_pending(t, pending, n);
}

/* Makes the view of one probe: which series may be shown. A series none of whose sites is attached
 * is left out: a zero would say that nobody called. */
static void view_probe_init(struct view_probe *v, const struct trace *t, const struct plan_probe *p)
{
	v->series = memory_alloc((p->n_series + 1) * sizeof(struct plan_series *));
	v->slots = memory_alloc((p->n_series + 1) * sizeof(struct slot *));
	for (size_t i = 0; i < p->n_sites; i++) {
		const struct site *s = p->sites[i]->refusal ? NULL : find_site(t, p->sites[i]->key);

		if (!s)
			continue;
		if (s->attachment) {
			v->n_attached++;
			s->slot->is_shown = true;
			continue;
		}
		v->n_failed++;
		if (!v->failure && s->failure)
			v->failure = memory_strdup(s->failure);
	}
	for (size_t i = 0; i < p->n_series; i++) {
		struct slot *slot = slots_find(&t->slots, p->series[i]);

		if (!slot || !slot->is_shown)
			continue;
		slot->is_shown = false;
		v->series[v->n_series] = p->series[i];
		v->slots[v->n_series++] = slot;
	}
}

static struct view *view_new(const struct trace *t, const struct plan *plan)
{
	struct view *v = memory_alloc(sizeof(*v));

	v->n_probes = plan->n_probes;
	v->probes = memory_alloc(v->n_probes * sizeof(*v->probes));
	for (size_t i = 0; i < plan->n_probes; i++)
		view_probe_init(&v->probes[i], t, &plan->probes[i]);
	return v;
}

void view_free(struct view *v)
{
	if (!v)
		return;
	for (size_t i = 0; i < v->n_probes; i++) {
		free(v->probes[i].series);
		free(v->probes[i].slots);
		free(v->probes[i].failure);
	}
	free(v->probes);
	free(v);
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
	plan_free(old_plan);
	view_free(old_view);
}

void trace_apply(struct trace *t, struct plan *plan)
{
	bool is_reload = t->plan && t->plan->config != plan->config;

	remove_and_add(t, plan);
	attach_planned(t, plan);
	swap_in(t, plan, view_new(t, plan));
	if (is_reload)
		slots_release_unused(&t->slots, plan);
}

void trace_on_detach(struct trace *t, void (*tell)(size_t n_left, void *data), void *data)
{
	t->progress = (struct link_progress){tell, data};
}

void trace_detach(struct trace *t)
{
	struct site *s, *next;

	swap_in(t, NULL, NULL);
	detach(t, true);
	HASH_ITER (hh, t->sites, s, next) {
		HASH_DEL(t->sites, s);
		site_free(s);
	}
}
