// SPDX-License-Identifier: Apache-2.0
#include "trace/shared.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/memory.h"
#include "trace/kernel.h"
#include "trace/task.h"

extern const char bpf_threads_start[], bpf_threads_end[];

struct shared {
	struct bpf_object *object;
	struct bpf_link *exit_link, *exec_link;
	struct loss *losses;
	const uint64_t *changes;
	uint64_t *crowded;
	int64_t *series_left;
	uint32_t capacity; /* a power of two */
	struct task_layout task;
	struct pid_namespace pids;
};

/* The inode number of the first pid namespace, which the kernel has fixed. */
#define FIRST_PIDS 0xeffffffcU

int object_open(struct bpf_object **out, const char *start, const char *end, struct error *e)
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

int object_load(struct bpf_object *o, struct error *e)
{
	int r = bpf_object__load(o);

	if (!r)
		return 0;
	error_set_errno(e, r, "loading BPF programs");
	if (r != -EPERM && *kernel_last_message())
		error_wrap(e, r, "%s", kernel_last_message());
	return kernel_explain(e, r);
}

size_t object_mapped_bytes(size_t n_bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (n_bytes + page - 1) / page * page;
}

int object_map(void **out, const struct bpf_object *o, const char *array, size_t n_bytes,
	int protection, struct error *e)
{
	int fd = bpf_object__find_map_fd_by_name(o, array);
	void *p = mmap(NULL, object_mapped_bytes(n_bytes), protection, MAP_SHARED, fd, 0);

	if (p == MAP_FAILED)
		return error_set_errno(e, -errno, "mapping the %s array", array);
	*out = p;
	return 0;
}

void object_set(struct bpf_object *o, const char *section, const void *value, size_t size)
{
	bpf_map__set_initial_value(bpf_object__find_map_by_name(o, section), value, size);
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
	void *losses, *changes, *crowded, *left;
	int r = object_open(&s->object, bpf_threads_start, bpf_threads_end, e);

	if (r)
		return r;
	bpf_map__set_max_entries(bpf_object__find_map_by_name(s->object, "losses"), s->capacity);
	object_set(s->object, ".rodata.mask", &mask, sizeof(mask));
	object_set(s->object, ".rodata.task", &s->task, sizeof(s->task));
	r = object_load(s->object, e);
	if (!r)
		r = object_map(&losses, s->object, "losses", s->capacity * sizeof(struct loss),
			PROT_READ | PROT_WRITE, e);
	if (r)
		return r;
	s->losses = losses;
	r = object_map(&changes, s->object, "changes", sizeof(*s->changes), PROT_READ, e);
	if (r)
		return r;
	s->changes = changes;
	r = object_map(
		&crowded, s->object, "crowded", sizeof(*s->crowded), PROT_READ | PROT_WRITE, e);
	if (r)
		return r;
	s->crowded = crowded;
	r = object_map(&left, s->object, "series_left", sizeof(*s->series_left),
		PROT_READ | PROT_WRITE, e);
	if (r)
		return r;
	s->series_left = left;
	r = attach_raw(&s->exit_link, s->object, "thread_exit", "sched_process_exit", e);
	return r ? r : attach_raw(&s->exec_link, s->object, "thread_exec", "sched_process_exec", e);
}

/* The numbers that /proc shows us are those of our own namespace. */
static struct pid_namespace own_pids(void)
{
	struct stat s;

	if (stat("/proc/self/ns/pid", &s) || s.st_ino == FIRST_PIDS)
		return (struct pid_namespace){};
	return (struct pid_namespace){
		.device = (uint64_t)major(s.st_dev) << 20 | minor(s.st_dev),
		.inode = s.st_ino,
	};
}

int shared_new(struct shared **out, uint32_t max_slots, struct error *e)
{
	_cleanup_(shared_freep) struct shared *s = memory_alloc(sizeof(*s));
	int r;

	/* Twice as many, so that a reload finds room for its new series beside the old. */
	for (s->capacity = 1024; s->capacity < 2ULL * max_slots;)
		s->capacity *= 2;
	task_layout_find(&s->task);
	s->pids = own_pids();
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
		munmap(s->losses, object_mapped_bytes(s->capacity * sizeof(struct loss)));
	if (s->changes)
		munmap((void *)s->changes, object_mapped_bytes(sizeof(*s->changes)));
	if (s->crowded)
		munmap(s->crowded, object_mapped_bytes(sizeof(*s->crowded)));
	if (s->series_left)
		munmap(s->series_left, object_mapped_bytes(sizeof(*s->series_left)));
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

const struct task_layout *shared_task_layout(const struct shared *s)
{
	return &s->task;
}

struct pid_namespace shared_pids(const struct shared *s)
{
	return s->pids;
}

void shared_allow_series(struct shared *s, int64_t n)
{
	__atomic_fetch_add(s->series_left, n, __ATOMIC_RELAXED);
}

int shared_lend(const struct shared *s, struct bpf_object *to, struct error *e)
{
	static const char *const names[] = {"threads", "near_threads", "losses", "starts",
		"switching", "crowded", "point_threads", "series_left"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		int fd = bpf_object__find_map_fd_by_name(s->object, names[i]);
		int r = bpf_map__reuse_fd(bpf_object__find_map_by_name(to, names[i]), fd);

		if (r)
			return error_set_errno(e, r, "sharing the %s map", names[i]);
	}
	return 0;
}
