// SPDX-License-Identifier: Apache-2.0
/*
 * Makes room for the calls of a process that leaves ever more of them standing: a Go program that
 * recovers from its panics does. Which of its calls will return nobody knows; those that have been
 * under way for longest are the least likely to.
 *
 * The kernel's side says in a mapped page that there may be such a process, so that looking costs
 * nothing while there is none. The starts are dropped there as well (starts_drop in
 * bpf/threads.bpf.c): the count of what is open can be kept right only where it is counted.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/sorted.h"
#include "trace/state.h"

enum { BATCH_STARTS = 4096 };

/* When the calls of a process began. */
struct times {
	uint64_t *ns; /* owned */
	size_t n, capacity;
};

static void times_deinit(struct times *t)
{
	free(t->ns);
}

static void times_add(struct times *t, uint64_t ns)
{
	if (t->n == t->capacity) {
		t->capacity = t->capacity ? 2 * t->capacity : CALLS_MAX_STARTS_OF_ONE;
		t->ns = memory_grow(t->ns, t->capacity, sizeof(*t->ns));
	}
	t->ns[t->n++] = ns;
}

static int map_fd(const struct shared *s, const char *name)
{
	return bpf_object__find_map_fd_by_name(shared_object(s), name);
}

/* What has no time yet is being made. */
static void read_times(struct times *out, const struct shared *s, uint32_t process)
{
	_cleanup_(freep) struct start_key *keys = memory_alloc(BATCH_STARTS * sizeof(*keys));
	_cleanup_(freep) struct start *starts = memory_alloc(BATCH_STARTS * sizeof(*starts));
	uint32_t position = 0, n;
	void *from = NULL;
	int r = 0;

	while (!r) {
		n = BATCH_STARTS;
		r = bpf_map_lookup_batch(
			map_fd(s, "starts"), from, &position, keys, starts, &n, NULL);
		if (r && r != -ENOENT)
			return;
		for (uint32_t i = 0; i < n; i++)
			if (keys[i].process == process && starts[i].start_ns)
				times_add(out, starts[i].start_ns);
		from = &position;
	}
}

/* Returns how many starts were dropped. */
static uint32_t drop(const struct shared *s, uint32_t process, uint64_t latest_ns)
{
	uint64_t arguments[] = {process, latest_ns};
	LIBBPF_OPTS(
		bpf_test_run_opts, options, .ctx_in = arguments, .ctx_size_in = sizeof(arguments));
	const struct bpf_program *p =
		bpf_object__find_program_by_name(shared_object(s), "starts_drop");

	return bpf_prog_test_run_opts(bpf_program__fd(p), &options) ? 0 : options.retval;
}

static uint32_t sweep_process(const struct shared *s, uint32_t process)
{
	_cleanup_(times_deinit) struct times times = {};

	read_times(&times, s, process);
	if (times.n <= CALLS_KEPT_STARTS)
		return 0;
	qsort(times.ns, times.n, sizeof(*times.ns), sorted_compare);
	return drop(s, process, times.ns[times.n - CALLS_KEPT_STARTS - 1]);
}

void trace_sweep(struct trace *t, sweep_tell *tell, void *data)
{
	int switching = map_fd(t->shared, "switching");
	uint32_t process;
	void *before = NULL;

	if (!shared_take_crowded(t->shared))
		return;
	/* Bounded, for it begins anew where a process ends meanwhile. */
	for (int i = 0; i < CALLS_MAX_SWITCHING; i++) {
		int64_t n_open = 0;
		uint32_t n_dropped;

		if (bpf_map_get_next_key(switching, before, &process))
			return;
		before = &process;
		if (bpf_map_lookup_elem(switching, &process, &n_open) ||
			n_open <= CALLS_MANY_STARTS)
			continue;
		n_dropped = sweep_process(t->shared, process);
		if (n_dropped)
			tell(process, n_dropped, data);
	}
}
