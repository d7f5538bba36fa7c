// SPDX-License-Identifier: Apache-2.0
/*
 * That the kernel has taken a uprobe doesn't mean that it fires: a breakpoint goes only into
 * private, unwritable mappings of that very inode, and only when they are made or the uprobe is. A
 * program that runs a copy of its code, maps it shared or writable, maps the file that lay below
 * before an overlay's was copied up, or through a file system that passes another file's pages on,
 * calls its functions unseen.
 *
 * All of that shows in one place: the process's memory still has the file's own instruction where
 * a breakpoint should be. One site for each mapping tells; which mapping has a site, or that none
 * has, its offset tells.
 */
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "target/user.h"
#include "trace/state.h"

/* What differs once a breakpoint is there; behind it may be another. */
#ifdef __aarch64__
enum { BREAKPOINT_BYTES = 4 };
#else
enum { BREAKPOINT_BYTES = 1 };
#endif

/* The attached sites of one file. */
struct proving {
	struct site **sites;
	size_t n;
};

static bool covers(const struct user_range *r, uint64_t offset)
{
	return offset >= r->offset && offset - r->offset < r->end - r->start;
}

static uint64_t offset_of(const struct plan_site *s)
{
	return s->offset + s->behind;
}

static bool has_own_instruction(
	const struct user *u, const struct user_range *r, const struct plan_site *s)
{
	uint8_t bytes[BREAKPOINT_BYTES];
	uint64_t address = r->start + (offset_of(s) - r->offset);

	return pread(u->memory_fd, bytes, sizeof(bytes), (off_t)address) == sizeof(bytes) &&
	       !memcmp(bytes, s->bytes, sizeof(bytes));
}

static const char *describe(const struct user_range *r)
{
	if (r->is_writable)
		return "has mapped it writable, and the kernel puts no breakpoint there";
	if (r->is_shared)
		return "has mapped it shared, and the kernel puts no breakpoint there";
	return "has it in memory without the kernel's breakpoint";
}

/* The same for a mapping that has a site; "": nothing is wrong. It is looked at once. */
static const char *verdict_of(
	const struct user *u, size_t range, const struct plan_site *s, const char **verdicts)
{
	const struct user_range *r = &u->ranges[range];

	if (!verdicts[range])
		verdicts[range] = has_own_instruction(u, r, s) ? describe(r) : "";
	return verdicts[range];
}

/* Why the calls of a site pass unseen in a process, or NULL. verdicts has a NULL for each range at
 * first. */
static const char *why_blind(const struct user *u, const struct plan_site *s, const char **verdicts)
{
	bool is_mapped = !u->is_program; /* who maps a part of a library may not run it */

	for (size_t i = 0; i < u->n_ranges; i++) {
		const char *verdict;

		if (!covers(&u->ranges[i], offset_of(s)))
			continue;
		is_mapped = true;
		verdict = verdict_of(u, i, s, verdicts);
		if (*verdict)
			return verdict;
	}
	return is_mapped ? NULL : "runs a copy of that code, which it has made in memory";
}

static bool visit(const struct user *u, bool is_last, void *data)
{
	const struct proving *p = data;
	_cleanup_(freep) const char **verdicts =
		memory_alloc((u->n_ranges + 1) * sizeof(const char *));
	bool is_blind = false;

	for (size_t i = 0; i < p->n; i++) {
		struct site *s = p->sites[i];
		const char *why = s->blind ? NULL : why_blind(u, s->planned, verdicts);

		if (why && is_last)
			s->blind =
				memory_printf("not all calls are seen: process %d %s", u->pid, why);
		is_blind = is_blind || why;
	}
	return is_blind;
}

static void prove_target(struct trace *t, struct world *w, const struct target *target)
{
	_cleanup_(freep) struct site **sites =
		memory_alloc((HASH_COUNT(t->sites) + 1) * sizeof(struct site *));
	struct proving p = {.sites = sites};

	for (struct site *s = t->sites; s; s = s->hh.next)
		if (s->attachment && s->target == target)
			p.sites[p.n++] = s;
	if (p.n)
		users_visit(w, target, visit, &p);
}

void trace_prove(struct trace *t, struct world *w)
{
	if (!t->plan)
		return;
	for (struct site *s = t->sites; s; s = s->hh.next) {
		free(s->blind);
		s->blind = NULL;
		s->is_proven = true;
	}
	for (size_t i = 0; i < t->plan->n_targets; i++)
		prove_target(t, w, t->plan->targets[i]);
	view_renew(t);
}
