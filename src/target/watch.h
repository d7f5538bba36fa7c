/* SPDX-License-Identifier: Apache-2.0 */
/* Noticing writers of the files of all targets; what users of it need is in world.h. */
#pragma once

#include "target/world.h"

struct watch {
	int fd; /* an epoll of those below: readable when watch_read() has something to do */
	int signals, notifications, timer;
	struct target *targets; /* a list of utlist.h, borrowed */
};

/* Blocks SIGIO for the calling thread and those that it starts. */
int watch_new(struct watch **out, struct error *e);
void watch_free(struct watch *w);
DEFINE_CLEANUP(watch_free, struct watch *)

/* Guards the file of a target that was just opened; watch_remove() before its descriptor goes. */
void watch_add(struct watch *w, struct target *t);
void watch_remove(struct watch *w, struct target *t);

/* See world_watch_read(). */
bool watch_read(struct watch *w, target_release *release, void *data);
