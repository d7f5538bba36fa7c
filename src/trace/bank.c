// SPDX-License-Identifier: Apache-2.0
/*
 * Both objects are compiled into the exporter (cmake/bpf.cmake). A bank opens its own copy of the
 * calls object, sets the constants and the sizes of its maps, lets it share the thread and loss
 * maps, and loads just the programs that its mode and shape use.
 */
#include "trace/bank.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "trace/kernel.h"
#include "trace/layout.h"
#include "trace/task.h"

extern const char bpf_calls_start[], bpf_calls_end[];
extern const char bpf_threads_start[], bpf_threads_end[];

struct shared {
	struct bpf_object *object;
	struct bpf_link *exit_link, *exec_link;
	struct loss *losses;
	const uint64_t *changes;
	uint64_t *crowded;
	uint32_t capacity; /* a power of two */
	struct task_layout task;
};

static int open_object(struct bpf_object **out, const char *start, const char *end, struct error *e)
{
	LIBBPF_OPTS(bpf_object_open_opts, options, .object_name = "uprobe_exporter");
	struct bpf_object *o;

	kernel_capture_messages();
	o = bpf_object__open_mem(start, (size_t)(end - start), &options);
	if (!o)
		return error_set_errno(e, -errno, "opening the built-in BPF object");
	*out = o;
	return 0;
}

static int load_object(struct bpf_object *o, struct error *e)
{
	int r = bpf_object__load(o);

	if (!r)
		return 0;
	error_set_errno(e, r, "loading BPF programs");
	if (r != -EPERM && *kernel_last_message())
		error_wrap(e, r, "%s", kernel_last_message());
	return kernel_explain(e, r);
}

static size_t page_aligned(size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (bytes + page - 1) / page * page;
}

static int map_array(void **out, struct bpf_object *o, const char *name, size_t bytes,
	int protection, struct error *e)
{
	int fd = bpf_object__find_map_fd_by_name(o, name);
	void *p = mmap(NULL, page_aligned(bytes), protection, MAP_SHARED, fd, 0);

	if (p == MAP_FAILED)
		return error_set_errno(e, -errno, "mapping the %s array", name);
	*out = p;
	return 0;
}

static void set_constant(struct bpf_object *o, const char *map, const void *value, size_t size)
{
	bpf_map__set_initial_value(bpf_object__find_map_by_name(o, map), value, size);
}

static int attach_raw(struct bpf_link **out, struct bpf_object *o, const char *program,
	const char *tracepoint, struct error *e)
{
	struct bpf_link *l = bpf_program__attach_raw_tracepoint(
		bpf_object__find_program_by_name(o, program), tracepoint);

	if (!l) {
		error_set_errno(e, -errno, "watching %s", tracepoint);
		return kernel_explain(e, -errno);
	}
	*out = l;
	return 0;
}

static int shared_load(struct shared *s, struct error *e)
{
	uint32_t mask = s->capacity - 1;
	void *losses, *changes, *crowded;
	int r = open_object(&s->object, bpf_threads_start, bpf_threads_end, e);

	if (r)
		return r;
	bpf_map__set_max_entries(bpf_object__find_map_by_name(s->object, "losses"), s->capacity);
	set_constant(s->object, ".rodata.mask", &mask, sizeof(mask));
	set_constant(s->object, ".rodata.task", &s->task, sizeof(s->task));
	r = load_object(s->object, e);
	if (!r)
		r = map_array(&losses, s->object, "losses", s->capacity * sizeof(struct loss),
			PROT_READ | PROT_WRITE, e);
	if (r)
		return r;
	s->losses = losses;
	r = map_array(&changes, s->object, "changes", sizeof(*s->changes), PROT_READ, e);
	if (r)
		return r;
	s->changes = changes;
	r = map_array(
		&crowded, s->object, "crowded", sizeof(*s->crowded), PROT_READ | PROT_WRITE, e);
	if (r)
		return r;
	s->crowded = crowded;
	r = attach_raw(&s->exit_link, s->object, "thread_exit", "sched_process_exit", e);
	return r ? r : attach_raw(&s->exec_link, s->object, "thread_exec", "sched_process_exec", e);
}

int shared_new(struct shared **out, uint32_t max_slots, struct error *e)
{
	_cleanup_(shared_freep) struct shared *s = memory_alloc(sizeof(*s));
	int r;

	/* Twice as many, so that a reload finds room for its new series beside the old. */
	for (s->capacity = 1024; s->capacity < 2ULL * max_slots;)
		s->capacity *= 2;
	task_layout_find(&s->task);
	r = shared_load(s, e);
	if (!r)
		*out = TAKE_PTR(s);
	return r;
}

void shared_free(struct shared *s)
{
	if (!s)
		return;
	bpf_link__destroy(s->exit_link);
	bpf_link__destroy(s->exec_link);
	if (s->losses)
		munmap(s->losses, page_aligned(s->capacity * sizeof(struct loss)));
	if (s->changes)
		munmap((void *)s->changes, page_aligned(sizeof(*s->changes)));
	if (s->crowded)
		munmap(s->crowded, page_aligned(sizeof(*s->crowded)));
	bpf_object__close(s->object);
	free(s);
}

struct loss *shared_loss(const struct shared *s, uint32_t slot)
{
	return &s->losses[slot & (s->capacity - 1)];
}

uint64_t shared_changes(const struct shared *s)
{
	return __atomic_load_n(s->changes, __ATOMIC_ACQUIRE);
}

bool shared_take_crowded(struct shared *s)
{
	return __atomic_load_n(s->crowded, __ATOMIC_RELAXED) &&
	       __atomic_exchange_n(s->crowded, 0, __ATOMIC_ACQ_REL);
}

struct bpf_object *shared_object(const struct shared *s)
{
	return s->object;
}

uint32_t shared_capacity(const struct shared *s)
{
	return s->capacity;
}

/* Where calls end at exits, by whose they are. */
static const char *const programs_by_exits[N_CALLS_OF] = {
	[CALLS_OF_THREADS] = "call_exits",
	[CALLS_OF_STACKS] = "call_switched",
	[CALLS_OF_GOROUTINES] = "call_goroutine",
	[CALLS_OF_POINTS] = "call_points",
};

/* Whether a program of the calls object is loaded, for what kind of attachment; 0: a perf event's.
 */
static void choose_program(struct bank *b, const char *name, bool is_wanted, int attach_type)
{
	struct bpf_program *p = bpf_object__find_program_by_name(b->object, name);

	bpf_program__set_autoload(p, is_wanted);
	if (attach_type)
		bpf_program__set_expected_attach_type(p, (enum bpf_attach_type)attach_type);
}

static void choose_programs(struct bank *b, enum attach_mode mode)
{
	bool has_sessions = mode == ATTACH_SESSION;
	int multi = mode == ATTACH_PERF ? 0 : LINK_UPROBE_MULTI;

	choose_program(b, "call_entry", !b->is_timed || !has_sessions, multi);
	choose_program(b, "call_return", b->is_timed && !has_sessions, multi);
	choose_program(b, "call_session", b->is_timed && has_sessions, LINK_UPROBE_SESSION);
	for (size_t i = 0; i < N_CALLS_OF; i++)
		choose_program(b, programs_by_exits[i], b->is_timed, multi);
}

static int program_fd(struct bpf_object *o, const char *name)
{
	struct bpf_program *p = bpf_object__find_program_by_name(o, name);

	return bpf_program__autoload(p) ? bpf_program__fd(p) : -1;
}

static struct link_programs one_program(
	const struct bank *b, enum attach_mode mode, const char *name)
{
	return (struct link_programs){
		.mode = mode,
		.entry_program = program_fd(b->object, name),
		.return_program = -1,
		.session_program = -1,
	};
}

static void take_programs(struct bank *b, enum attach_mode mode)
{
	b->programs = one_program(b, mode, "call_entry");
	b->programs.return_program = program_fd(b->object, "call_return");
	b->programs.session_program = program_fd(b->object, "call_session");
	for (size_t i = 0; i < N_CALLS_OF; i++)
		b->by_exits[i] = one_program(b, mode, programs_by_exits[i]);
}

static int share_maps(struct bank *b, const struct shared *shared, struct error *e)
{
	static const char *const names[] = {"threads", "near_threads", "losses", "starts",
		"switching", "crowded", "point_threads"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		int fd = bpf_object__find_map_fd_by_name(shared->object, names[i]);
		int r = bpf_map__reuse_fd(bpf_object__find_map_by_name(b->object, names[i]), fd);

		if (r)
			return error_set_errno(e, r, "sharing the %s map", names[i]);
	}
	return 0;
}

static void set_shape(struct bank *b, const struct shared *shared)
{
	struct shape shape = {
		.n_bounds = (uint32_t)b->n_bounds,
		.base_slot = b->base_slot,
		.n_shards = b->n_shards,
		.loss_mask = shared->capacity - 1,
		.is_timed = b->is_timed,
		.task = shared->task,
	};

	memcpy(shape.bounds, b->bounds, b->n_bounds * sizeof(*b->bounds));
	set_constant(b->object, ".rodata.shape", &shape, sizeof(shape));
}

static int bank_load(struct bank *b, struct shared *shared, enum attach_mode mode, struct error *e)
{
	struct bpf_map *cells;
	void *mapped;
	int r = open_object(&b->object, bpf_calls_start, bpf_calls_end, e);

	if (r)
		return r;
	choose_programs(b, mode);
	set_shape(b, shared);
	cells = bpf_object__find_map_by_name(b->object, "cells");
	bpf_map__set_value_size(cells, b->cell_bytes);
	bpf_map__set_max_entries(cells, b->n_slots * b->n_shards);
	r = share_maps(b, shared, e);
	if (!r)
		r = load_object(b->object, e);
	if (r)
		return r;
	b->mapped_bytes = page_aligned((size_t)b->cell_bytes * b->n_slots * b->n_shards);
	r = map_array(&mapped, b->object, "cells", b->mapped_bytes, PROT_READ, e);
	if (r)
		return r;
	b->cells = mapped;
	take_programs(b, mode);
	return 0;
}

int bank_new(struct bank **out, struct shared *shared, enum attach_mode mode, bool is_timed,
	const struct bounds *bounds, uint32_t base_slot, uint32_t n_slots, struct error *e)
{
	_cleanup_(bank_freep) struct bank *b = memory_alloc(sizeof(*b));
	int r;

	b->is_timed = is_timed;
	b->n_bounds = is_timed ? bounds->n : 0;
	b->bounds = memory_alloc(b->n_bounds * sizeof(*b->bounds));
	memcpy(b->bounds, bounds->ns, b->n_bounds * sizeof(*b->bounds));
	b->base_slot = base_slot;
	b->n_slots = n_slots;
	b->cell_bytes = layout_cell_bytes(is_timed, b->n_bounds);
	b->n_shards = layout_shards(n_slots, b->cell_bytes, (unsigned)libbpf_num_possible_cpus());
	r = bank_load(b, shared, mode, e);
	if (r)
		return r;
	for (uint32_t s = base_slot; s < base_slot + n_slots; s++)
		*shared_loss(shared, s) = (struct loss){.slot = s};
	*out = TAKE_PTR(b);
	return 0;
}

void bank_free(struct bank *b)
{
	if (!b)
		return;
	if (b->cells)
		munmap((void *)b->cells, b->mapped_bytes);
	bpf_object__close(b->object);
	free(b->bounds);
	free(b);
}

const uint64_t *bank_cell(const struct bank *b, uint32_t slot, uint32_t shard)
{
	size_t index = (size_t)(slot - b->base_slot) * b->n_shards + shard;

	return b->cells + index * b->cell_bytes / sizeof(*b->cells);
}
