// SPDX-License-Identifier: Apache-2.0
/*
 * Start and end. At start each mode of the ladder is tried on an own function, best first; the
 * first that counts right is used for everything. With it, it is found out what this kernel may be
 * trusted with, and what probes cost here.
 */
#include "trace/trace.h"

#include <errno.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "trace/calibrate.h"
#include "trace/kernel.h"
#include "trace/nop5.h"
#include "trace/selftest.h"
#include "trace/state.h"
#include "trace/uretprobe.h"

static int choose_mode(struct trace *t, enum attach_mode wanted, struct error *e)
{
	_cleanup_(buffer_deinit) struct buffer reasons = {};
	int r = -EOPNOTSUPP;

	for (enum attach_mode m = ATTACH_SESSION; m <= ATTACH_PERF; m++) {
		_cleanup_(error_deinit) struct error why = {};

		if (wanted != ATTACH_AUTO && wanted != m)
			continue;
		r = selftest_mode(t->shared, m, &why);
		if (!r) {
			t->mode = m;
			return 0;
		}
		buffer_printf(&reasons, "%s%s: %s", reasons.size ? "; " : "", attach_mode_name(m),
			error_text(&why));
	}
	return error_set(e, r, "no way to attach works here: %s", buffer_text(&reasons));
}

int trace_new(struct trace **out, enum attach_mode wanted, uint32_t max_series, struct error *e)
{
	_cleanup_(trace_freep) struct trace *t = NULL;
	int r = kernel_check(e);

	if (r)
		return r;
	kernel_raise_limits();
	t = memory_alloc(sizeof(*t));
	pthread_mutex_init(&t->lock, NULL);
	t->slots.next = 1; /* the self-test's is 0 */
	r = shared_new(&t->shared, max_series, e);
	if (!r)
		r = choose_mode(t, wanted, e);
	if (r)
		return r;
	t->rules.allows_uretprobes = uretprobe_try(t->shared, t->mode);
	t->rules.allows_nop5 = nop5_try(t->shared, t->mode, &t->nop5_reason);
	r = calibrate(&t->costs, t->shared, t->mode, &t->rules, e);
	if (r)
		return error_wrap(e, r, "measuring what probes cost");
	*out = TAKE_PTR(t);
	return 0;
}

void trace_free(struct trace *t)
{
	if (!t)
		return;
	trace_detach(t);
	slots_deinit(&t->slots);
	shared_free(t->shared);
	pthread_mutex_destroy(&t->lock);
	free(t);
}

enum attach_mode trace_mode(const struct trace *t)
{
	return t->mode;
}

const struct plan_rules *trace_rules(const struct trace *t)
{
	return &t->rules;
}

const char *trace_nop5_reason(const struct trace *t)
{
	return t->nop5_reason;
}

uint64_t trace_process_changes(const struct trace *t)
{
	return shared_changes(t->shared);
}

const struct plan *trace_plan(const struct trace *t)
{
	return t->plan;
}

void trace_lock(struct trace *t)
{
	pthread_mutex_lock(&t->lock);
}

void trace_unlock(struct trace *t)
{
	pthread_mutex_unlock(&t->lock);
}
