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

extern const char bpf_calls_start[], bpf_calls_end[];

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

static void set_constants(struct bank *b, const struct shared *shared)
{
	struct shape shape = {
		.n_bounds = (uint32_t)b->n_bounds,
		.n_buckets = (uint32_t)b->n_buckets,
		.has_native = b->native != NATIVE_NONE,
		.base_slot = b->base_slot,
		.n_shards = b->n_shards,
		.loss_mask = shared_capacity(shared) - 1,
		.is_timed = b->is_timed,
		.first_dynamic = bank_first_dynamic(b),
		.pids = shared_pids(shared),
		.task = *shared_task_layout(shared),
	};

	memcpy(shape.bounds, b->bounds, b->n_bounds * sizeof(*b->bounds));
	object_set(b->object, ".rodata.shape", &shape, sizeof(shape));
	object_set(b->object, ".rodata.carry", &b->carry, sizeof(b->carry));
}

static void size_map(const struct bank *b, const char *name, uint32_t key_bytes,
	uint32_t value_bytes, uint32_t n)
{
	struct bpf_map *m = bpf_object__find_map_by_name(b->object, name);

	if (key_bytes)
		bpf_map__set_key_size(m, key_bytes);
	bpf_map__set_value_size(m, value_bytes);
	bpf_map__set_max_entries(m, n);
}

/* Bytes of an entry of the directory. */
static uint32_t entry_bytes(const struct bank *b)
{
	return 8 + b->carry.key_bytes;
}

/* Whether arguments of USDT points are read. */
static bool reads_places(const struct bank *b)
{
	return b->carry.is_used && b->carry.is_point;
}

static void size_maps(const struct bank *b)
{
	if (reads_places(b))
		size_map(b, "usdt_places", 0, sizeof(struct usdt_place), USDT_MAX_PLACES);
	size_map(b, "cells", 0, b->cell_bytes, b->n_slots * b->n_shards);
	if (!b->n_dynamic)
		return;
	size_map(b, "series", b->carry.key_bytes, sizeof(uint32_t), b->n_dynamic);
	size_map(b, "free_series", 0, sizeof(uint32_t), b->n_dynamic);
	size_map(b, "directory", 0, entry_bytes(b), b->n_dynamic);
}

static size_t cells_bytes(const struct bank *b)
{
	return (size_t)b->cell_bytes * b->n_slots * b->n_shards;
}

/* An array's elements are whole words, each behind the other. */
static size_t directory_bytes(const struct bank *b)
{
	return (size_t)entry_bytes(b) * b->n_dynamic;
}

static int map_arrays(struct bank *b, struct error *e)
{
	void *mapped;
	int r = object_map(&mapped, b->object, "cells", cells_bytes(b), PROT_READ, e);

	if (r)
		return r;
	b->cells = mapped;
	if (!b->n_dynamic)
		return 0;
	r = object_map(&mapped, b->object, "directory", directory_bytes(b), PROT_READ, e);
	if (!r)
		b->directory = mapped;
	return r;
}

/* Has the slots of label sets be free. */
static int free_series(const struct bank *b, struct error *e)
{
	int fd = bpf_object__find_map_fd_by_name(b->object, "free_series");

	for (uint32_t i = 0; i < b->n_dynamic; i++) {
		uint32_t slot = bank_first_dynamic(b) + i;

		if (bpf_map_update_elem(fd, NULL, &slot, BPF_ANY))
			return error_set_errno(e, -errno, "filling the free_series queue");
	}
	return 0;
}

static int bank_load(struct bank *b, struct shared *shared, enum attach_mode mode, struct error *e)
{
	int r = object_open(&b->object, bpf_calls_start, bpf_calls_end, e);

	if (r)
		return r;
	choose_programs(b, mode);
	set_constants(b, shared);
	size_maps(b);
	r = shared_lend(shared, b->object, e);
	if (!r)
		r = object_load(b->object, e);
	if (!r)
		r = map_arrays(b, e);
	if (!r)
		r = free_series(b, e);
	if (!r)
		take_programs(b, mode);
	return r;
}

int bank_new(struct bank **out, struct shared *shared, enum attach_mode mode,
	const struct layout *l, uint32_t base_slot, uint32_t n_slots, struct error *e)
{
	_cleanup_(bank_freep) struct bank *b = memory_alloc(sizeof(*b));
	int r;

	b->is_timed = l->is_timed;
	b->n_bounds = l->is_timed ? l->bounds->n : 0;
	b->n_buckets = layout_buckets(l);
	b->native = l->native;
	b->bounds = memory_alloc(b->n_bounds * sizeof(*b->bounds));
	if (b->n_bounds)
		memcpy(b->bounds, l->bounds->ns, b->n_bounds * sizeof(*b->bounds));
	b->base_slot = base_slot;
	b->n_dynamic = l->n_dynamic;
	b->n_slots = n_slots + l->n_dynamic;
	b->carry = l->carry;
	b->cell_bytes = l->cell_bytes;
	b->n_shards =
		layout_shards(b->n_slots, b->cell_bytes, (unsigned)libbpf_num_possible_cpus());
	r = bank_load(b, shared, mode, e);
	if (r)
		return r;
	for (uint32_t s = base_slot; s < base_slot + b->n_slots; s++)
		*shared_loss(shared, s) = (struct loss){.slot = s};
	*out = TAKE_PTR(b);
	return 0;
}

int bank_new_plain(struct bank **out, struct shared *shared, enum attach_mode mode,
	const struct bounds *bounds, uint32_t base_slot, uint32_t n_slots, struct error *e)
{
	struct layout l;

	layout_init_plain(&l, bounds);
	return bank_new(out, shared, mode, &l, base_slot, n_slots, e);
}

void bank_free(struct bank *b)
{
	if (!b)
		return;
	if (b->cells)
		munmap((void *)b->cells, object_mapped_bytes(cells_bytes(b)));
	if (b->directory)
		munmap((void *)b->directory, object_mapped_bytes(directory_bytes(b)));
	bpf_object__close(b->object);
	free(b->bounds);
	free(b->places);
	free(b);
}

const uint64_t *bank_cell(const struct bank *b, uint32_t slot, uint32_t shard)
{
	size_t index = (size_t)(slot - b->base_slot) * b->n_shards + shard;

	return b->cells + index * b->cell_bytes / sizeof(*b->cells);
}

static int put_place(struct bank *b, const struct usdt_place *place)
{
	int fd = bpf_object__find_map_fd_by_name(b->object, "usdt_places");
	uint32_t number = b->n_places;

	if (number == USDT_MAX_PLACES)
		return -E2BIG;
	if (bpf_map_update_elem(fd, &number, place, BPF_ANY))
		return -errno;
	b->places = memory_grow(b->places, number + 1, sizeof(*b->places));
	b->places[number] = *place;
	b->n_places++;
	return (int)number;
}

int bank_take_place(struct bank *b, const struct usdt_place *place)
{
	if (!place)
		return 0;
	for (uint32_t i = 0; i < b->n_places; i++)
		if (!memcmp(&b->places[i], place, sizeof(*place)))
			return (int)i;
	return put_place(b, place);
}

const struct label_key *bank_key(const struct bank *b, uint32_t slot)
{
	const uint64_t *entry =
		b->directory + (slot - bank_first_dynamic(b)) * entry_bytes(b) / sizeof(uint64_t);

	return __atomic_load_n(entry, __ATOMIC_ACQUIRE) ? (const struct label_key *)(entry + 1)
							: NULL;
}

uint32_t bank_n_sets(const struct bank *b)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < b->n_dynamic; i++)
		n += bank_key(b, bank_first_dynamic(b) + i) != NULL;
	return n;
}
