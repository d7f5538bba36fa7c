// SPDX-License-Identifier: Apache-2.0
/*
 * Links by bpf(2) itself: the libbpf of Debian 12 knows neither uprobe_multi nor sessions, and its
 * uapi header lacks their part of the attribute, so that part is declared here, as the kernel has
 * it.
 *
 * The order matters where entry and return are two links. The return goes on first and off last:
 * an entry that is counted then always has its return reported.
 *
 * A perf link takes the kernel a grace period (tens of ms) to close. They are closed by a few
 * threads at once: the grace periods of all of them overlap.
 */
#include "trace/link.h"

#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "trace/kernel.h"

enum { UPROBE_MULTI_RETURN = 1 };
enum { CLOSING_THREADS = 64, SECONDS_TO_TELL = 2 };

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
	const uint64_t *offsets, const uint64_t *cookies, size_t n)
{
	struct link_create c = {
		.program = (uint32_t)program,
		.attach_type = type,
		.path = (uintptr_t)path,
		.offsets = (uintptr_t)offsets,
		.cookies = (uintptr_t)cookies,
		.n = (uint32_t)n,
		.multi_flags = flags,
	};

	return create(&c, sizeof(c));
}

static int read_number(const char *path, const char *format, unsigned *out)
{
	_cleanup_(fclosep) FILE *f = fopen(path, "re");

	return f && fscanf(f, format, out) == 1 ? 0 : -EOPNOTSUPP;
}

static int open_perf_event(const char *path, uint64_t offset, bool is_return)
{
	struct perf_event_attr attributes = {.size = sizeof(attributes)};
	unsigned type, return_bit;
	long fd;

	if (read_number("/sys/bus/event_source/devices/uprobe/type", "%u", &type) ||
		read_number("/sys/bus/event_source/devices/uprobe/format/retprobe", "config:%u",
			&return_bit))
		return -EOPNOTSUPP;
	attributes.type = type;
	attributes.config = is_return ? 1ULL << return_bit : 0;
	attributes.uprobe_path = (uintptr_t)path;
	attributes.probe_offset = offset;
	fd = syscall(SYS_perf_event_open, &attributes, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

/* The link keeps the event alive, so the event's own descriptor is not kept. */
static int attach_perf(
	int program, const char *path, uint64_t offset, uint64_t cookie, bool is_return)
{
	_cleanup_(closep) int event = open_perf_event(path, offset, is_return);
	struct link_create_perf c = {
		.program = (uint32_t)program,
		.target = (uint32_t)event,
		.attach_type = BPF_PERF_EVENT,
		.cookie = cookie,
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
	const uint64_t *offsets, const uint64_t *cookies, size_t n)
{
	int r = 0;

	if (p->session_program >= 0)
		return keep(set, attach_multi(p->session_program, LINK_UPROBE_SESSION, 0, path,
					 offsets, cookies, n));
	if (p->return_program >= 0)
		r = keep(set, attach_multi(p->return_program, LINK_UPROBE_MULTI,
				      UPROBE_MULTI_RETURN, path, offsets, cookies, n));
	if (!r)
		r = keep(set, attach_multi(p->entry_program, LINK_UPROBE_MULTI, 0, path, offsets,
				      cookies, n));
	return r;
}

static int attach_all_perf(struct link_set *set, const struct link_programs *p, const char *path,
	const uint64_t *offsets, const uint64_t *cookies, size_t n)
{
	int r = 0;

	for (size_t i = 0; i < n && !r && p->return_program >= 0; i++)
		r = keep(set, attach_perf(p->return_program, path, offsets[i], cookies[i], true));
	for (size_t i = 0; i < n && !r; i++)
		r = keep(set, attach_perf(p->entry_program, path, offsets[i], cookies[i], false));
	return r;
}

int link_attach(struct link_set *out, const struct link_programs *programs, const char *path,
	const uint64_t *offsets, const uint64_t *cookies, size_t n, struct error *e)
{
	struct link_set set = {};
	int r;

	if (programs->mode == ATTACH_PERF)
		r = attach_all_perf(&set, programs, path, offsets, cookies, n);
	else
		r = attach_all_multi(&set, programs, path, offsets, cookies, n);
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
	free(from->fds);
	*from = (struct link_set){};
}

struct closing {
	const struct link_set *set;
	atomic_size_t n_left; /* descriptors not yet taken by a thread, from the end */
};

static void close_some(struct closing *c, const struct link_progress *progress)
{
	size_t n_left = atomic_load(&c->n_left);
	time_t told = time(NULL);

	while (n_left) {
		if (!atomic_compare_exchange_weak(&c->n_left, &n_left, n_left - 1))
			continue;
		close(c->set->fds[--n_left]);
		if (!progress || !progress->tell || time(NULL) - told < SECONDS_TO_TELL)
			continue;
		told = time(NULL);
		progress->tell(n_left, progress->data);
	}
}

static void *closing_thread(void *data)
{
	close_some(data, NULL);
	return NULL;
}

void link_detach(struct link_set *set, const struct link_progress *progress)
{
	struct closing closing = {.set = set, .n_left = set->n};
	pthread_t threads[CLOSING_THREADS];
	size_t n = 0;

	/* The caller's own thread closes as well: a set of one link starts no other. */
	while (n < CLOSING_THREADS && n + 1 < set->n &&
		!pthread_create(&threads[n], NULL, closing_thread, &closing))
		n++;
	close_some(&closing, progress);
	while (n)
		pthread_join(threads[--n], NULL);
	free(set->fds);
	*set = (struct link_set){};
}
