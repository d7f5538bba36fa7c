// SPDX-License-Identifier: Apache-2.0
/*
 * A probe belongs to a place in a file. When the file is overwritten in place (cp over a library,
 * rsync --inplace), the new code gets the old places' breakpoints: a process that maps it then
 * runs into one in the middle of an instruction, or goes on with an instruction of the old code.
 * So nothing may be attached while a file is being written.
 *
 * inotify tells of the first write when it is done. Taking breakpoints off takes the kernel 25 to
 * 95 ms more, for one site or 500, and a program that is started right after `cp` is faster: one in
 * forty computed a wrong result. A lease
 * (fcntl(2), F_SETLEASE) comes before: open(2) for writing, and truncate(2), wait until the holder
 * of the lease has given it up, which here is when the probes are off. It also answers what
 * inotify can't: a lease is refused as long as anybody has the file open for writing.
 *
 * What a lease costs, and why that is less than what it saves:
 * - A writer waits, usually a tenth of a second. If the exporter hangs, the kernel lets the writer
 *   go after /proc/sys/fs/lease-break-time, 45 s. The target itself never waits: reading, mapping
 *   and running the file are free, and so is replacing it by rename.
 * - open(2) with O_NONBLOCK fails with EWOULDBLOCK once. Hardly anyone opens a program or library
 *   so to overwrite it; and it is the writer that sees it, where a crash would hit the target.
 * - It takes the file's owner or CAP_LEASE, and a file system that knows leases. Where there is
 *   none, inotify stands in, with the gap told above; where that is refused as well (its limits),
 *   the file's size and time are compared at every refresh. The target says so (`unguarded`).
 *
 * A file is taken for whole when a lease was to be had and nobody has asked for it back during
 * SETTLE_MS: many writers open a file several times, and each time would wait for the probes.
 * Without leases: SETTLE_MS after the writer has closed it; or after a long time without a change,
 * for one that was written through a mapping or is kept open.
 *
 * The kernel tells the holder by SIGIO, which doesn't say which file: all leases are then looked
 * at, so that nothing hangs on how many signals are queued.
 */
#include "target/watch.h"

#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <utlist.h>

#include "base/clock.h"
#include "base/memory.h"
#include "target/guard.h"

enum { SETTLE_MS = 300, UNCLOSED_MS = 10000 };

/* How long to wait before looking again whether a file is whole: an eighth of the time that it has
 * been written for, within these. */
enum { SHORTEST_PAUSE_MS = 50, LONGEST_PAUSE_MS = 2000 };

static int open_signals(void)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGIO);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	return signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int poll_also(const struct watch *w, int fd)
{
	struct epoll_event event = {.events = EPOLLIN};

	return epoll_ctl(w->fd, EPOLL_CTL_ADD, fd, &event);
}

int watch_new(struct watch **out, struct error *e)
{
	_cleanup_(watch_freep) struct watch *w = memory_alloc(sizeof(*w));

	w->signals = open_signals();
	w->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	w->notifications = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	w->fd = epoll_create1(EPOLL_CLOEXEC);
	if (poll_also(w, w->signals) || poll_also(w, w->timer))
		return error_set_errno(e, -errno, "watching files");
	/* Without it (fs.inotify.max_user_instances) each file that needs it says so. */
	if (w->notifications >= 0)
		poll_also(w, w->notifications);
	*out = TAKE_PTR(w);
	return 0;
}

void watch_free(struct watch *w)
{
	struct target *t, *next;

	if (!w)
		return;
	DL_FOREACH_SAFE(w->targets, t, next)
	watch_remove(w, t);
	closep(&w->signals);
	closep(&w->timer);
	closep(&w->notifications);
	closep(&w->fd);
	free(w);
}

/* ---- one file's guard ---- */

static void do_without_lease(struct target *t, const char *why)
{
	t->notification = notify_add(t->watch->notifications, t->fd);
	free(t->unguarded);
	t->unguarded = memory_printf("%s: a change in place is noticed %s", why,
		t->notification >= 0 ? "only when it has begun"
				     : "within two seconds (inotify can't watch it either)");
}

/* Guards the file in the best way that there is. false: someone has it open for writing. */
static bool guard(struct target *t)
{
	const char *why = NULL;
	enum lease_answer answer = t->unguarded ? LEASE_IMPOSSIBLE : lease_take(t->fd, &why);

	t->has_lease = answer == LEASE_TAKEN;
	if (answer == LEASE_IMPOSSIBLE && !t->unguarded)
		do_without_lease(t, why);
	return answer != LEASE_BUSY;
}

static void note_writer(struct target *t, uint64_t now)
{
	if (t->state != TARGET_WRITTEN)
		t->written_ms = now;
	t->state = TARGET_WRITTEN;
	t->quiet_ms = now;
}

static void set_timer(const struct watch *w, uint64_t now)
{
	struct itimerspec when = {};
	uint64_t shortest = 0;
	struct target *t;

	DL_FOREACH (w->targets, t) {
		uint64_t pause = (now - t->written_ms) / 8;

		if (t->state != TARGET_WRITTEN)
			continue;
		if (pause < SHORTEST_PAUSE_MS)
			pause = SHORTEST_PAUSE_MS;
		if (pause > LONGEST_PAUSE_MS)
			pause = LONGEST_PAUSE_MS;
		if (!shortest || pause < shortest)
			shortest = pause;
	}
	when.it_value.tv_sec = (time_t)(shortest / 1000);
	when.it_value.tv_nsec = (long)(shortest % 1000 * 1000000);
	timerfd_settime(w->timer, 0, &when, NULL);
}

void watch_add(struct watch *w, struct target *t)
{
	uint64_t now = clock_ms();

	t->watch = w;
	t->notification = -1;
	DL_APPEND(w->targets, t);
	if (guard(t))
		return;
	note_writer(t, now);
	set_timer(w, now);
}

/* Two targets may be one file, before and after a change, and then have one notification. */
static bool shares_notification(const struct target *one)
{
	const struct target *t;

	DL_FOREACH (one->watch->targets, t)
		if (t->notification == one->notification)
			return true;
	return false;
}

void watch_remove(struct watch *w, struct target *t)
{
	DL_DELETE(w->targets, t);
	if (t->notification >= 0 && !shares_notification(t))
		inotify_rm_watch(w->notifications, t->notification);
	if (t->has_lease)
		lease_give_up(t->fd);
	t->watch = NULL;
}

/* ---- what has happened ---- */

static void note_notification(struct watch *w, const struct inotify_event *event, uint64_t now)
{
	bool is_lost = event->mask & IN_Q_OVERFLOW;
	struct target *t;

	DL_FOREACH (w->targets, t) {
		if (t->notification < 0 || (t->notification != event->wd && !is_lost))
			continue;
		if (is_lost || event->mask & IN_MODIFY) {
			t->is_touched = true;
			t->is_closed = false;
		}
		if (event->mask & IN_CLOSE_WRITE)
			t->is_closed = true;
		t->quiet_ms = now;
	}
}

static void read_notifications(struct watch *w, uint64_t now)
{
	/* Watches of files, not of folders: events have no names. */
	struct inotify_event events[64];
	ssize_t n;

	while ((n = read(w->notifications, events, sizeof(events))) > 0)
		for (size_t i = 0; i < (size_t)n / sizeof(*events); i++)
			note_notification(w, &events[i], now);
}

static void drain(const struct watch *w)
{
	struct signalfd_siginfo signal;
	uint64_t expirations;

	while (read(w->signals, &signal, sizeof(signal)) > 0)
		;
	while (read(w->timer, &expirations, sizeof(expirations)) > 0)
		;
}

/* Whether a writer has come. */
static bool meet_writer(struct target *t, uint64_t now, target_release *release, void *data)
{
	bool is_wanted = t->has_lease && lease_is_wanted(t->fd);
	bool is_news = t->state != TARGET_WRITTEN;

	if (!is_wanted && !t->is_touched)
		return false;
	if (is_news)
		release(t, data);
	if (is_wanted)
		lease_give_up(t->fd);
	t->has_lease = t->has_lease && !is_wanted;
	t->is_touched = false;
	note_writer(t, now);
	return is_news;
}

static bool is_quiet(struct target *t, uint64_t now)
{
	if (!t->has_lease && !t->unguarded) {
		if (!guard(t))
			return false;
		t->quiet_ms = now;
	}
	return now - t->quiet_ms >= (t->has_lease || t->is_closed ? SETTLE_MS : UNCLOSED_MS);
}

/* Whether a file that was written is whole from now on. */
static bool becomes_whole(struct target *t, uint64_t now)
{
	if (t->state != TARGET_WRITTEN || !is_quiet(t, now))
		return false;
	t->state = TARGET_OUTDATED;
	return true;
}

bool watch_read(struct watch *w, target_release *release, void *data)
{
	uint64_t now = clock_ms();
	bool is_due = false;
	struct target *t;

	drain(w);
	read_notifications(w, now);
	DL_FOREACH (w->targets, t) {
		is_due |= meet_writer(t, now, release, data);
		is_due |= becomes_whole(t, now);
	}
	set_timer(w, now);
	return is_due;
}
