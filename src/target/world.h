/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The world: which files a configured path means, here and in every running process's mount
 * namespace.
 *
 * A target is one file as the kernel sees it. It is opened once, never by way of a symlink that
 * leads out of the namespace it was found in, and its descriptor is held for as long as someone
 * holds the target: so it stays the same file even when its name is given to another.
 *
 * A world and its targets belong to one thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "base/error.h"

/* What is known of writers of a target's file, in a world that watches (world_watch). */
enum target_state {
	TARGET_WHOLE,
	TARGET_WRITTEN,  /* someone has it open for writing, or had a moment ago */
	TARGET_OUTDATED, /* was written, and is whole again: the next refresh finds a new target */
};

struct watch;
struct target_notes;

struct target {
	unsigned references;
	int fd; /* O_RDONLY, of a regular file */
	dev_t device;
	ino_t inode;
	uint64_t size_bytes;
	struct timespec modified, changed; /* contents; contents or attributes */
	bool on_overlay; /* device is then the overlay's, and the kernel probes the file below */
	char *path;      /* as configured */
	char *origin;    /* where it was found: the path, or "/proc/PID/root/..." */
	char *root;      /* the root directory of that view: "/", or "/proc/PID/root" */
	pid_t pid;       /* whose namespace it was found in, 0 for the exporter's own */

	enum target_state state;
	char *unguarded; /* why writers of the file don't wait, and what then; or NULL */

	/* What an upper floor has found out about the file and would not look for again. */
	struct target_notes *notes;
	void (*free_notes)(struct target_notes *notes);

	/* private to watch.c */
	struct watch *watch; /* NULL: not watched */
	struct target *prev, *next;
	bool has_lease;
	bool is_touched, is_closed; /* told by inotify: written to; closed by the last writer */
	int notification;           /* inotify's number for it; negative: none */
	uint64_t written_ms;        /* when a writer first appeared */
	uint64_t quiet_ms;          /* since when nobody writes */
};

/* The regular file of that name as the exporter itself sees it, with one reference. What the path
 * says below /proc/PID/root is of that process's view. */
int target_open(struct target **out, const char *path, struct error *e);

struct target *target_ref(struct target *t);
void target_unref(struct target *t);
DEFINE_CLEANUP(target_unref, struct target *)

/* "/proc/self/fd/N": how a target is named to the kernel. size >= 32. */
void target_kernel_path(const struct target *t, char *out, size_t size);

/* Why nothing may be attached to the file now, or NULL. */
const char *target_trouble(const struct target *t);

/* Whether the file has changed since it was opened (its size or time of modification): its
 * offsets can't be trusted any more. */
bool target_has_changed(const struct target *t);

struct world;

/* proc_path: where the host's /proc is mounted. Takes a first look at the processes; doesn't
 * fail for those that can't be read. */
int world_new(struct world **out, const char *proc_path, struct error *e);
void world_free(struct world *w);
DEFINE_CLEANUP(world_free, struct world *)

/* Has changes of all targets' files noticed from now on; blocks SIGIO for the calling thread and
 * those that it starts. Where a file can't be guarded against writers, its target says why. */
int world_watch(struct world *w, struct error *e);

/* A descriptor that is readable when world_watch_read() has something to do. */
int world_watch_fd(const struct world *w);

/* Must take off whatever relies on what is in the file. */
typedef void target_release(const struct target *t, void *data);

/* Calls release for every target that someone is about to write to, or writes to by now; most
 * writers have to wait until it returns. true: a new plan should be made. */
bool world_watch_read(struct world *w, target_release *release, void *data);

/* Whether a process runs other memory in place of a part of t's file, as of the last refresh: it
 * has copied its code, and would have copied breakpoints. */
bool world_has_moved_code(struct world *w, const struct target *t);

/* Whether a process that runs t's file was started with an option that begins so, or has it in
 * that variable of its environment; "OPTION=off" doesn't count. */
bool world_has_option(
	struct world *w, const struct target *t, const char *option, const char *variable);

/* Looks again at which processes run and in which namespaces. Costs a few µs per process. Paths
 * that nobody asked for since the last refresh are forgotten. */
int world_refresh(struct world *w, struct error *e);

/* The same for when no process has come or gone since the last refresh: only files are looked at
 * again, which costs a few µs per path and namespace. */
void world_refresh_files(struct world *w);

/* The distinct files that path means, each once, the exporter's own first; the caller owns the
 * array and a reference on each element. Besides the files that have that name now, these are
 * the files that lost it while processes still run or map them. An answer holds until the next
 * refresh. Zero of them is no error: e then says why, for people ("no such file"). Where some
 * are found and e has a text all the same, it says which could not be opened.
 * A target that is still the same file is the same struct as at the last call, with its
 * descriptor; one that changed on disk is a new one (not while it is being written). */
int world_find(
	struct world *w, const char *path, struct target ***out, size_t *n_out, struct error *e);

/* Whether path, of which world_find() found no file, is something else: a directory, a device. */
bool world_is_odd(const struct world *w, const char *path);
