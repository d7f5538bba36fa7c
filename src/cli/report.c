// SPDX-License-Identifier: Apache-2.0
#include "cli/report.h"

#include <string.h>
#include <uthash.h>

#include "base/log.h"
#include "base/memory.h"
#include "trace/snapshot.h"

struct last {
	UT_hash_handle hh;
	char *probe; /* key */
	char *text;  /* as last logged */
};

struct report {
	struct last *by_probe;
	bool has_failures;
	struct snapshot snapshot;
};

struct report *report_new(void)
{
	return memory_alloc(sizeof(struct report));
}

void report_free(struct report *r)
{
	struct last *l, *next;

	if (!r)
		return;
	HASH_ITER (hh, r->by_probe, l, next) {
		HASH_DEL(r->by_probe, l);
		free(l->probe);
		free(l->text);
		free(l);
	}
	snapshot_deinit(&r->snapshot);
	free(r);
}

/* Remembers text for the probe; false when it was the same. */
static bool is_news(struct report *r, const char *probe, const char *text)
{
	struct last *l;

	HASH_FIND_STR(r->by_probe, probe, l);
	if (!l) {
		l = memory_alloc(sizeof(*l));
		l->probe = memory_strdup(probe);
		HASH_ADD_KEYPTR(hh, r->by_probe, l->probe, strlen(l->probe), l);
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
	_cleanup_(freep) char *sites = memory_printf(
		"%zu attached, %zu refused, %zu failed", p->n_attached, p->n_refused, p->n_failed);
	const char *reason = p->probe->reason ? p->probe->reason : "";
	const char *failure = p->failure ? p->failure : "";
	const char *message = p->n_failed ? "probe failed" : state_messages[p->probe->state];
	_cleanup_(freep) char *text = memory_printf("%s %s %s %s", message, sites, reason, failure);

	if (!is_news(r, p->probe->config->name, text))
		return;
	if (p->is_up && !*reason)
		log_info(message, "probe", p->probe->config->name, "sites", sites);
	else
		log_warn(message, "probe", p->probe->config->name, "sites", sites, "reason",
			*failure ? failure : reason);
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

bool report_has_failures(const struct report *r)
{
	return r->has_failures;
}
