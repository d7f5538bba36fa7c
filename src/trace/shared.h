/* SPDX-License-Identifier: Apache-2.0 */
/* What all banks share: maps, and the programs that watch threads end. */
#pragma once

#include <bpf/libbpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "bpf/calls.h"

struct shared;

int shared_new(struct shared **out, uint32_t max_slots, struct error *e);
void shared_free(struct shared *s);
DEFINE_CLEANUP(shared_free, struct shared *)

/* The loss element of a slot, mapped. */
struct loss *shared_loss(const struct shared *s, uint32_t slot);

/* How often a program was started or a process ended since shared_new(). */
uint64_t shared_changes(const struct shared *s);

/* Whether some process has had many starts open since this was asked last. */
bool shared_take_crowded(struct shared *s);

/* For what libbpf does with its maps and programs. */
struct bpf_object *shared_object(const struct shared *s);

/* Slots that may be alive at once. */
uint32_t shared_capacity(const struct shared *s);

/* Where things lie in the kernel's structures. */
const struct task_layout *shared_task_layout(const struct shared *s);

/* Whose numbers processes are known by. */
struct pid_namespace shared_pids(const struct shared *s);

/* Has the maps of a bank's object that are shared be these. */
int shared_lend(const struct shared *s, struct bpf_object *to, struct error *e);

/* More label sets that there may be, over all banks. */
void shared_allow_series(struct shared *s, int64_t n);

/* For both kinds of object: opens one that is compiled in, between start and end; loads it, with
 * what the kernel says of it in e; maps n bytes of an array; sets a section of constants. */
int object_open(struct bpf_object **out, const char *start, const char *end, struct error *e);
int object_load(struct bpf_object *o, struct error *e);
int object_map(void **out, const struct bpf_object *o, const char *array, size_t n_bytes,
	int protection, struct error *e);
size_t object_mapped_bytes(size_t n_bytes); /* what it maps for that */
void object_set(struct bpf_object *o, const char *section, const void *value, size_t size);
