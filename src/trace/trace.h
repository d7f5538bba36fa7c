/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The only room that touches the kernel: it loads programs, puts a plan into force by applying
 * its difference from the one before, and lets a scrape read the cells.
 *
 * One thread applies plans; any thread may take snapshots meanwhile (see trace_lock).
 */
#pragma once

#include <stdint.h>

#include "plan/plan.h"

/* How sites are attached: the ladder, best first (DESIGN: from a call to a bucket). */
enum attach_mode { ATTACH_AUTO, ATTACH_SESSION, ATTACH_MULTI, ATTACH_PERF };

const char *attach_mode_name(enum attach_mode m);
int attach_mode_parse(const char *name, enum attach_mode *out); /* -EINVAL */

struct trace;

/* Checks what this kernel and these privileges allow, and picks the best mode (or the one
 * wanted). On failure e says what is missing and what to grant. max_series bounds the slots. */
int trace_new(struct trace **out, enum attach_mode wanted, uint32_t max_series, struct error *e);

/* Detaches everything, then frees. */
void trace_free(struct trace *t);
DEFINE_CLEANUP(trace_free, struct trace *)

enum attach_mode trace_mode(const struct trace *t);

/* What was found out about this kernel, for plan_resolve(); and why it doesn't allow sites on
 * 5-byte nops, or NULL. */
const struct plan_rules *trace_rules(const struct trace *t);
const char *trace_nop5_reason(const struct trace *t);

/* Puts plan into force. Counts of series that both plans have go on; sites that both have are not
 * touched. What can't be attached is marked failed, with the reason, and tried again at the next
 * call. t takes the plan, and frees the one before. The plan's configuration must live as long. */
void trace_apply(struct trace *t, struct plan *plan);

/* Takes off at once every site in the target's file; why is their failure until the next
 * trace_apply(). Blocks until the kernel is done. */
void trace_release(struct trace *t, const struct target *target, const char *why);

/* To be called every few seconds: sheds probes that cost more than the configuration of the plan in
 * force allows, which takes all their sites off, and tries again those that have been shed for a
 * while. Whether something has changed. now_ns: CLOCK_MONOTONIC. */
bool trace_check_budgets(struct trace *t, uint64_t now_ns);

/* To be called every few seconds: where a process has left so many calls standing, of those that
 * are not looked for by their thread, that its room for them is nearly used up, drops the oldest,
 * which are then missed; and has tell called for each such process. */
typedef void sweep_tell(uint32_t process, uint32_t n_dropped, void *data);
void trace_sweep(struct trace *t, sweep_tell *tell, void *data);

/* To be called every few seconds: takes back the slots of label sets that name a process or a
 * control group which is gone, as these say of its number. */
struct trace_gone {
	bool (*process)(uint64_t pid, void *data);
	bool (*cgroup)(uint64_t id, void *data);
	void *data;
};
void trace_reclaim(struct trace *t, const struct trace_gone *gone);

/* Looks into the processes that have code with attached sites, whether the kernel has put its
 * breakpoints there; a probe where it hasn't is not up until it is found there by a later look. */
void trace_prove(struct trace *t, struct world *w);

/* Has tell called now and then, in the thread that detaches, where the kernel takes long: with the
 * number of links that are left. */
void trace_on_detach(struct trace *t, void (*tell)(size_t n_left, void *data), void *data);

/* Detaches everything and forgets the plan; blocks until the kernel is done. */
void trace_detach(struct trace *t);

/* A number that grows whenever a program is started or a process ends, anywhere on the machine. */
uint64_t trace_process_changes(const struct trace *t);

/* Bytes of BPF maps that hold the cells of plan on n_cpus CPUs; pure. */
uint64_t trace_map_bytes(const struct plan *plan, unsigned n_cpus);

/* The plan in force, or NULL before the first. Valid between lock and unlock. */
const struct plan *trace_plan(const struct trace *t);

/* Holds off the swap of plans (never the kernel work) while a snapshot is in use. */
void trace_lock(struct trace *t);
void trace_unlock(struct trace *t);
