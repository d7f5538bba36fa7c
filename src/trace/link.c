// SPDX-License-Identifier: Apache-2.0
/*
 * Links by bpf(2) itself: the libbpf of Debian 12 knows neither uprobe_multi nor sessions, and its
 * uapi header lacks their part of the attribute, so that part is declared here, as the kernel has
 * it.
 *
 * The order matters where entry and return are two links. The return goes on first: an entry that
 * is counted then has its return reported. They go off together.
 *
 * Closing a link waits for grace periods of the kernel, some 70 ms in all. Many threads wait at
 * once, each for a link of its own: 1,000 links are gone in a third of a second. Perf events the
 * kernel takes down one by one whoever asks, a tenth of a second each: a few threads are as fast
 * as many, which would only raise the load average, and a person is told how many are left.
 */
#include "trace/link.h"

#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "trace/kernel.h"

enum { UPROBE_MULTI_RETURN = 1 };
enum { CLOSING_THREADS = 512, CLOSING_THREADS_PERF = 32, CLOSING_STACK_BYTES = 64 << 10 };
enum { SECONDS_TO_TELL = 2 };

/* union bpf_attr of BPF_LINK_CREATE with its uprobe_multi part. */
struct link_create {
	uint32_t program, target, attach_type, flags;
	uint64_t path, offsets, reference_offsets, cookies;
	uint32_t n, multi_flags, pid, padding;
};

/* The same with its perf_event part. */
struct link_create_perf {
	uint32_t program, target, attach_type, flags;
	uint64_t cookie;
};

static void add_fd(struct link_set *set, int fd)
{
	if (set->n == set->capacity) {
		set->capacity = set->capacity ? set->capacity * 2 : 4;
		set->fds = memory_grow(set->fds, set->capacity, sizeof(*set->fds));
	}
	set->fds[set->n++] = fd;
}

static int create(const void *attributes, size_t size)
{
	long fd;

	do
		fd = syscall(SYS_bpf, BPF_LINK_CREATE, attributes, size);
	while (fd < 0 && (errno == EINTR || errno == EAGAIN));
	return fd < 0 ? -errno : (int)fd;
}

static int attach_multi(int program, uint32_t type, uint32_t flags, const char *path,
	const struct link_places *places)
{
	struct link_create c = {
		.program = (uint32_t)program,
		.attach_type = type,
		.path = (uintptr_t)path,
		.offsets = (uintptr_t)places->offsets,
		.reference_offsets = (uintptr_t)places->semaphores,
		.cookies = (uintptr_t)places->cookies,
		.n = (uint32_t)places->n,
		.multi_flags = flags,
		.pid = (uint32_t)places->only_in,
	};

	return create(&c, sizeof(c));
}

static int read_number(const char *path, const char *format, unsigned *out)
{
	_cleanup_(fclosep) FILE *f = fopen(path, "re");

	return f && fscanf(f, format, out) == 1 ? 0 : -EOPNOTSUPP;
}

/* Where a perf event takes the offset of a semaphore: the upper bits of its configuration. */
static int place_semaphore(uint64_t *configuration, uint64_t semaphore)
{
	unsigned first_bit;

	if (read_number("/sys/bus/event_source/devices/uprobe/format/ref_ctr_offset", "config:%u",
		    &first_bit) ||
		semaphore >> (64 - first_bit))
		return -EOPNOTSUPP;
	*configuration |= semaphore << first_bit;
	return 0;
}

static int open_perf_event(
	const char *path, const struct link_places *places, size_t i, bool is_return)
{
	uint64_t semaphore = places->semaphores ? places->semaphores[i] : 0;
	struct perf_event_attr attributes = {.size = sizeof(attributes)};
	unsigned type, return_bit;
	uint64_t configuration = 0;
	long fd;

	if (read_number("/sys/bus/event_source/devices/uprobe/type", "%u", &type) ||
		read_number("/sys/bus/event_source/devices/uprobe/format/retprobe", "config:%u",
			&return_bit) ||
		(semaphore && place_semaphore(&configuration, semaphore)))
		return -EOPNOTSUPP;
	attributes.type = type;
	attributes.config = configuration | (is_return ? 1ULL << return_bit : 0);
	attributes.uprobe_path = (uintptr_t)path;
	attributes.probe_offset = places->offsets[i];
	fd = syscall(SYS_perf_event_open, &attributes, places->only_in ? places->only_in : -1,
		places->only_in ? -1 : 0, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

/* The link keeps the event alive, so the event's own descriptor is not kept. */
static int attach_perf(
	int program, const char *path, const struct link_places *places, size_t i, bool is_return)
{
	_cleanup_(closep) int event = open_perf_event(path, places, i, is_return);
	struct link_create_perf c = {
		.program = (uint32_t)program,
		.target = (uint32_t)event,
		.attach_type = BPF_PERF_EVENT,
		.cookie = places->cookies[i],
	};

	return event < 0 ? event : create(&c, sizeof(c));
}

static int keep(struct link_set *set, int fd)
{
	if (fd < 0)
		return fd;
	add_fd(set, fd);
	return 0;
}

static int attach_all_multi(struct link_set *set, const struct link_programs *p, const char *path,
	const struct link_places *places)
{
	int r = 0;

	if (p->session_program >= 0)
		return keep(set,
			attach_multi(p->session_program, LINK_UPROBE_SESSION, 0, path, places));
	if (p->return_program >= 0)
		r = keep(set, attach_multi(p->return_program, LINK_UPROBE_MULTI,
				      UPROBE_MULTI_RETURN, path, places));
	if (!r)
		r = keep(set, attach_multi(p->entry_program, LINK_UPROBE_MULTI, 0, path, places));
	return r;
}

static int attach_all_perf(struct link_set *set, const struct link_programs *p, const char *path,
	const struct link_places *places)
{
	int r = 0;

	for (size_t i = 0; i < places->n && !r && p->return_program >= 0; i++)
		r = keep(set, attach_perf(p->return_program, path, places, i, true));
	for (size_t i = 0; i < places->n && !r; i++)
		r = keep(set, attach_perf(p->entry_program, path, places, i, false));
	return r;
}

int link_attach(struct link_set *out, const struct link_programs *programs, const char *path,
	const struct link_places *places, struct error *e)
{
	struct link_set set = {.is_perf = programs->mode == ATTACH_PERF};
	int r;

	if (programs->mode == ATTACH_PERF)
		r = attach_all_perf(&set, programs, path, places);
	else
		r = attach_all_multi(&set, programs, path, places);
	if (r) {
		link_detach(&set, NULL);
		error_set_errno(e, r, "the kernel refused the uprobe");
		return kernel_explain(e, r);
	}
	*out = set;
	return 0;
}

void link_set_move(struct link_set *to, struct link_set *from)
{
	for (size_t i = 0; i < from->n; i++)
		add_fd(to, from->fds[i]);
	to->is_perf |= from->is_perf;
	free(from->fds);
	*from = (struct link_set){};
}

struct closing {
	const struct link_set *set;
	atomic_size_t n_left; /* descriptors not yet taken by a thread, from the end */
	sem_t closed;         /* once for each link */
};

static void *close_some(void *data)
{
	struct closing *c = data;
	size_t n_left = atomic_load(&c->n_left);

	while (n_left) {
		if (!atomic_compare_exchange_weak(&c->n_left, &n_left, n_left - 1))
			continue;
		close(c->set->fds[--n_left]);
		sem_post(&c->closed);
	}
	return NULL;
}

/* A set of one link needs no thread but the caller's own. Returns how many there are. */
static size_t start_threads(pthread_t *threads, struct closing *c)
{
	size_t most = c->set->is_perf ? CLOSING_THREADS_PERF : CLOSING_THREADS, n = 0;
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, CLOSING_STACK_BYTES);
	while (c->set->n > 1 && n < c->set->n && n < most &&
		!pthread_create(&threads[n], &attributes, close_some, c))
		n++;
	pthread_attr_destroy(&attributes);
	return n;
}

static struct timespec time_to_tell(void)
{
	return clock_timespec(clock_ns() + SECONDS_TO_TELL * UINT64_C(1000000000));
}

static void await_closed(struct closing *c, const struct link_progress *progress)
{
	struct timespec then = time_to_tell();
	size_t n_left = c->set->n;

	while (n_left) {
		if (!sem_clockwait(&c->closed, CLOCK_MONOTONIC, &then)) {
			n_left--;
		} else if (errno == ETIMEDOUT) {
			if (progress && progress->tell)
				progress->tell(n_left, progress->data);
			then = time_to_tell();
		}
	}
}

void link_detach(struct link_set *set, const struct link_progress *progress)
{
	struct closing closing = {.set = set, .n_left = set->n};
	pthread_t threads[CLOSING_THREADS];
	size_t n;

	sem_init(&closing.closed, 0, 0);
	n = start_threads(threads, &closing);
	if (!n)
		close_some(&closing);
	await_closed(&closing, progress);
	while (n)
		pthread_join(threads[--n], NULL);
	sem_destroy(&closing.closed);
	free(set->fds);
	*set = (struct link_set){};
}
