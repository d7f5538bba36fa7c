/* SPDX-License-Identifier: Apache-2.0 */
/* Files that lost their name (deleted, or replaced by another) and still run. */
#pragma once

#include "target/lookup.h"

/* Adds to l what processes of the view run, or map, that had l's path there. root_fd: the view's
 * root directory; file_fd: what has the name now, or negative. */
void nameless_add(
	struct world *w, struct lookup *l, const struct view *v, int root_fd, int file_fd);

/* Adds those of l's previous finds that weren't found again while some process uses them. */
void nameless_keep(struct world *w, struct lookup *l);
