/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asking the kernel, and telling a person why it said no: bpf(2) and perf_event_open(2), with a
 * text for each thing that may be missing (privilege, feature, limit) and what to grant.
 */
#pragma once

#include <linux/bpf.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Adds to e, which holds what failed with code, what is likely missing and what to do about it.
 * Returns code. */
int kernel_explain(struct error *e, int code);

/* What can be known to be missing before anything is tried: 0, or -errno with the text. */
int kernel_check(struct error *e);

/* Raises the soft limit on open files to the hard one: perf mode holds two for each site. */
void kernel_raise_limits(void);

/* Sends libbpf's own messages to nowhere but the last one, which kernel_last_message() gives:
 * never NULL, "" when there is none. */
void kernel_capture_messages(void);
const char *kernel_last_message(void);
