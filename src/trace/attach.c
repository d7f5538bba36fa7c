// SPDX-License-Identifier: Apache-2.0
/*
 * Attaching sites.
 *
 * Every site has links of its own, so that a reload that takes one away touches no other. Only of
 * a probe with very many sites those that go together (one file, one bank, one way to see calls
 * end) share links: descriptors and the time to close them would grow too much. When the kernel
 * refuses a group, halves are tried, so that one bad site costs no other; what is left over is
 * marked failed with the kernel's reason.
 */
#include <errno.h>
#include <string.h>
#include <sys/types.h>

#include "base/clock.h"
#include "base/memory.h"
#include "trace/state.h"

/* Sites of one probe up to which each has links of its own. */
enum { MOST_SITES_ALONE = 1000 };

void site_set_failure(struct site *s, char *text)
{
	free(s->failure);
	s->failure = text;
}

static bool has_bytes(const struct target *t, uint64_t offset, const uint8_t *expected, size_t n)
{
	uint8_t bytes[16];

	return n <= sizeof(bytes) && pread(t->fd, bytes, n, (off_t)offset) == (ssize_t)n &&
	       !memcmp(bytes, expected, n);
}

/* Whether what the plan read is still there. */
static bool is_as_planned(const struct plan_site *p)
{
	if (target_has_changed(p->target) ||
		!has_bytes(p->target, p->offset + p->behind, p->bytes, p->n_bytes))
		return false;
	for (size_t i = 0; i < p->n_exits; i++)
		if (!has_bytes(
			    p->target, p->exits[i].offset, p->exits[i].bytes, p->exits[i].n_bytes))
			return false;
	return true;
}

/* The file may have been written since the plan read it. NULL, or what is wrong with it. */
static const char *file_trouble(const struct plan_site *p)
{
	const char *why = target_trouble(p->target);

	if (why)
		return why;
	return is_as_planned(p) ? NULL : "the file has changed since it was read";
}

/* Has the table of where arguments are have those of all places of a site. NULL, or why not. */
static const char *take_places(struct site *s)
{
	const struct plan_site *p = s->planned;
	struct bank *bank = s->slot->bank;
	int r;

	if (!p->point)
		return NULL;
	r = bank_take_place(bank, p->point->place);
	for (size_t i = 0; r >= 0 && i < p->n_exits; i++)
		r = bank_take_place(bank, p->exits[i].place);
	if (r == -E2BIG)
		return "the arguments of its probe's points are in too many different locations";
	return r < 0 ? "the kernel takes no locations of arguments" : NULL;
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
		sites[i]->is_proven = false;
		site_set_failure(sites[i], NULL);
	}
	a->next = t->attachments;
	t->attachments = a;
}

/* The addresses that a group of sites takes, with the attach cookie of each. Exits come first: the
 * kernel puts one breakpoint after the other, and a call that is seen to begin must be seen to end.
 */
struct addresses {
	uint64_t *offsets, *cookies, *semaphores;
	size_t n;
};

static void addresses_deinit(struct addresses *a)
{
	free(a->offsets);
	free(a->cookies);
	free(a->semaphores);
}

static void add(struct addresses *a, uint64_t offset, uint64_t cookie, uint64_t semaphore)
{
	a->offsets[a->n] = offset;
	a->cookies[a->n] = cookie;
	a->semaphores[a->n++] = semaphore;
}

static uint64_t conditional_detail(uint8_t condition)
{
	return COOKIE_IS_CONDITIONAL | (uint64_t)condition << COOKIE_DETAIL_SHIFT;
}

/* What the cookie of a USDT point's place says; it was taken before (take_places()). */
static uint64_t point_detail(const struct site *s, const struct usdt_place *place)
{
	return (uint64_t)s->epoch << COOKIE_EPOCH_SHIFT |
	       (uint64_t)bank_take_place(s->slot->bank, place) << COOKIE_DETAIL_SHIFT;
}

static uint64_t start_detail(const struct site *s, const struct usdt_place *place)
{
	return point_detail(s, place) | (s->planned->point->is_nested ? COOKIE_IS_NESTED : 0);
}

/* What the cookie of a site says besides the slot. */
static uint64_t entry_detail(const struct site *s)
{
	const struct plan_site *p = s->planned;
	uint64_t behind = (uint64_t)p->behind << COOKIE_DETAIL_SHIFT;

	if (p->point)
		return start_detail(s, p->point->place);
	return (p->is_conditional ? conditional_detail(p->condition) : behind) |
	       (p->is_go ? COOKIE_IS_GO : 0) | (uint64_t)(p->depth / 8) << COOKIE_DEPTH_SHIFT;
}

static uint64_t exit_detail(const struct site *s, const struct plan_exit *exit)
{
	if (exit->is_start)
		return start_detail(s, exit->place);
	if (s->planned->point)
		return COOKIE_IS_EXIT | point_detail(s, exit->place);
	return COOKIE_IS_EXIT | (exit->is_conditional ? conditional_detail(exit->condition) : 0);
}

static void add_entry(struct addresses *a, const struct site *s)
{
	const struct plan_site *p = s->planned;

	add(a, p->offset + p->behind, s->slot->number | entry_detail(s), p->semaphore);
}

static void add_exits(struct addresses *a, const struct site *s)
{
	const struct plan_site *p = s->planned;

	for (size_t i = 0; i < p->n_exits; i++)
		add(a, p->exits[i].offset, s->slot->number | exit_detail(s, &p->exits[i]),
			p->exits[i].semaphore);
}

static void addresses_init(struct addresses *a, struct site **sites, size_t n)
{
	size_t n_addresses = n;

	for (size_t i = 0; i < n; i++)
		n_addresses += sites[i]->planned->n_exits;
	*a = (struct addresses){
		.offsets = memory_alloc(n_addresses * sizeof(uint64_t)),
		.cookies = memory_alloc(n_addresses * sizeof(uint64_t)),
		.semaphores = memory_alloc(n_addresses * sizeof(uint64_t)),
	};
	for (size_t i = 0; i < n; i++)
		add_exits(a, sites[i]);
	for (size_t i = 0; i < n; i++)
		add_entry(a, sites[i]);
}

/* The programs for a site. */
static const struct link_programs *programs_of(const struct site *s)
{
	const struct bank *bank = s->slot->bank;

	return s->planned->exit == EXIT_BY_EXITS ? &bank->by_exits[s->planned->calls_of]
						 : &bank->programs;
}

/* What began before a probe was taken off is known by the time at which it comes back. */
static void come_back(struct trace *t, struct slot *slot)
{
	if (slot->was_left)
		shared_loss(t->shared, slot->number)->back_ns = clock_ns();
	slot->was_left = false;
}

static int attach_all(struct trace *t, struct site **sites, size_t n, struct error *e)
{
	_cleanup_(addresses_deinit) struct addresses a = {};
	struct link_set links = {};
	char path[32];
	int r;

	t->epoch++;
	for (size_t i = 0; i < n; i++)
		sites[i]->epoch = t->epoch;
	addresses_init(&a, sites, n);
	target_kernel_path(sites[0]->target, path, sizeof(path));
	for (size_t i = 0; i < n; i++)
		come_back(t, sites[i]->slot);
	r = link_attach(&links, programs_of(sites[0]), path,
		&(struct link_places){a.offsets, a.cookies, a.semaphores, a.n}, e);
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
		site_set_failure(sites[0], memory_strdup(error_text(&e)));
		return;
	}
	attach_or_halve(t, sites, half);
	attach_or_halve(t, sites + half, n - half);
}

static bool goes_with(const struct trace *t, const struct site *a, const struct site *b)
{
	return t->mode != ATTACH_PERF && a->planned->probe == b->planned->probe &&
	       a->planned->probe->n_sites > MOST_SITES_ALONE && a->target == b->target &&
	       programs_of(a) == programs_of(b);
}

void attach_pending(struct trace *t, struct site **pending, size_t n)
{
	size_t n_group;

	for (size_t i = 0; i < n; i++) {
		const char *why = file_trouble(pending[i]->planned);

		if (!why)
			why = take_places(pending[i]);
		if (!why)
			continue;
		site_set_failure(pending[i], memory_strdup(why));
		pending[i] = NULL;
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
