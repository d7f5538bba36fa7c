/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The running exporter: configuration, world, trace and server tied together. One thread starts,
 * ticks, reloads and stops it; the server's thread reads.
 */
#pragma once

#include "cli/options.h"

struct exporter;

/* Loads the configuration, checks the kernel, opens the server and attaches, in that order: what
 * can be wrong without touching a target is found first. */
int exporter_new(struct exporter **out, const struct options *options, struct error *e);

/* Detaches everything and frees. */
void exporter_free(struct exporter *x);
DEFINE_CLEANUP(exporter_free, struct exporter *)

/* Looks at the world again; attaches to what appeared, detaches from what went or changed. */
void exporter_tick(struct exporter *x);

/* A descriptor that is readable when exporter_files_changed() has something to do. */
int exporter_files_fd(const struct exporter *x);

/* Takes the probes off files that are about to be written, and attaches again to whole ones. */
void exporter_files_changed(struct exporter *x);

/* Loads the configuration again and puts it into force; a bad one is logged and changes nothing. */
void exporter_reload(struct exporter *x);
