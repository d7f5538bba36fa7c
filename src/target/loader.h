/* SPDX-License-Identifier: Apache-2.0 */
/* How the loader of the programs in a target's view finds their libraries. */
#pragma once

#include <stdbool.h>

#include "target/world.h"

struct loader;

/* For the mount namespace and root directory that t was found in. -errno when no process sees
 * them any more. */
int loader_new(struct loader **out, const struct target *t);
void loader_free(struct loader *l);
DEFINE_CLEANUP(loader_free, struct loader *)

/* The path of t in its view, for the origin of what it needs: with symlinks followed where that can
 * be told. The caller's. */
char *loader_origin(const struct loader *l, const struct target *t);

/* A library that is wanted, and who wants it. */
struct loader_request {
	const char *name;         /* or a path */
	const char *library_path; /* as the file says it (see elf_file_library_path), or NULL */
	const char *origin;       /* the file's own path in its view, for $ORIGIN */
};

/* Whether the file is of the right kind. fd and path (in the view) are the loader's. */
typedef bool loader_accepts(int fd, const char *path, void *data);

/* Offers the regular files at which the loader would look, in its order, until one is accepted;
 * whether one was. What only a process's environment says is not known. */
bool loader_find(
	struct loader *l, const struct loader_request *r, loader_accepts *accepts, void *data);
