// SPDX-License-Identifier: Apache-2.0
#include "cli/report.h"

#include <inttypes.h>
#include <string.h>
#include <uthash.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "trace/snapshot.h"

/* How long nothing is said of further sweeps. */
#define QUIET_NS (60 * UINT64_C(1000000000))

struct last {
	UT_hash_handle hh;
	char *subject; /* key: a probe's name, or a path */
	char *text;    /* as last logged */
};

struct report {
	struct last *by_probe, *by_path;
	bool has_failures;
	uint64_t next_sweep_ns; /* when a sweep is logged again */
	struct snapshot snapshot;
};

struct report *report_new(void)
{
	return memory_alloc(sizeof(struct report));
}

static void forget(struct last **table)
{
	struct last *l, *next;

	HASH_ITER (hh, *table, l, next) {
		HASH_DEL(*table, l);
		free(l->subject);
		free(l->text);
		free(l);
	}
}

void report_free(struct report *r)
{
	if (!r)
		return;
	forget(&r->by_probe);
	forget(&r->by_path);
	snapshot_deinit(&r->snapshot);
	free(r);
}

/* Remembers text for the subject; false when it was the same. */
static bool is_news(struct last **table, const char *subject, const char *text)
{
	struct last *l;

	HASH_FIND_STR(*table, subject, l);
	if (!l) {
		l = memory_alloc(sizeof(*l));
		l->subject = memory_strdup(subject);
		HASH_ADD_KEYPTR(hh, *table, l->subject, strlen(l->subject), l);
	} else if (!strcmp(l->text, text)) {
		return false;
	}
	free(l->text);
	l->text = memory_strdup(text);
	return true;
}

static const char *const state_messages[] = {
	[PLAN_READY] = "probe attached",
	[PLAN_PARTLY] = "probe attached in part",
	[PLAN_WAITING] = "probe waits",
	[PLAN_REFUSED] = "probe refused",
};

static void report_probe(struct report *r, const struct probe_reading *p)
{
	_cleanup_(freep) char *sites = memory_printf("%zu attached, %zu refused, %zu failed, "
						     "%zu shed",
		p->n_attached, p->n_refused, p->n_failed, p->n_shed);
	const char *reason = p->probe->reason ? p->probe->reason : "";
	const char *failure = p->failure ? p->failure : "";
	const char *message = p->n_shed     ? "probe shed"
			      : p->n_failed ? "probe failed"
					    : state_messages[p->probe->state];
	_cleanup_(freep) char *text = memory_printf("%s %s %s %s", message, sites, reason, failure);

	if (!is_news(&r->by_probe, p->probe->config->name, text))
		return;
	if (!p->is_up)
		log_warn(message, "probe", p->probe->config->name, "sites", sites, "reason",
			*failure ? failure : reason);
	else if (*reason) /* notes alone: nothing is missing */
		log_info(
			message, "probe", p->probe->config->name, "sites", sites, "reason", reason);
	else
		log_info(message, "probe", p->probe->config->name, "sites", sites);
}

void report_changes(struct report *r, struct trace *t)
{
	trace_lock(t);
	snapshot_take(&r->snapshot, t);
	r->has_failures = false;
	for (size_t i = 0; i < r->snapshot.n_probes; i++) {
		report_probe(r, &r->snapshot.probes[i]);
		r->has_failures |= r->snapshot.probes[i].n_failed != 0;
	}
	trace_unlock(t);
}

void report_unguarded(struct report *r, const struct plan *plan)
{
	for (size_t i = 0; i < plan->n_targets; i++) {
		const struct target *t = plan->targets[i];

		if (t->unguarded && is_news(&r->by_path, t->path, t->unguarded))
			log_warn("a file's writers don't wait for its probes to be taken off",
				"file", t->origin, "reason", t->unguarded);
	}
}

void report_sweep(struct report *r, uint32_t process, uint32_t n_dropped)
{
	_cleanup_(freep) char *pid = memory_printf("%" PRIu32, process);
	_cleanup_(freep) char *n = memory_printf("%" PRIu32, n_dropped);

	if (clock_ns() < r->next_sweep_ns)
		return;
	r->next_sweep_ns = clock_ns() + QUIET_NS;
	log_warn("so many calls of a process have not returned that the oldest are given up: their "
		 "durations are missed if they still do",
		"pid", pid, "calls", n);
}

bool report_has_failures(const struct report *r)
{
	return r->has_failures;
}
