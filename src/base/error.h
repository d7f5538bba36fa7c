/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The error policy.
 *
 * A function that can fail returns 0 or -errno, and leaves its out-parameters untouched when it
 * fails. Where a person will read the cause, it also takes a `struct error *` and sets it; a
 * caller that knows more puts its context in front with error_wrap(). Low floors return errors,
 * high floors log them. One probe's failure stops no other.
 *
 * Memory is the exception: sizes that an untrusted file or request can choose are bounded where
 * they are read, and an allocation that fails all the same ends the process (see memory.h). The
 * kernel then closes every link, so that no target keeps a probe.
 */
#pragma once

#include "base/cleanup.h"

/* Text of the last failure; {} is a valid empty one. Owned; release with error_deinit(). */
struct error {
	char *text;
};

void error_deinit(struct error *e);

/* Replaces the text. Returns code (a -errno), so that `return error_set(e, -EINVAL, ...)` reads. */
int error_set(struct error *e, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* As error_set(), with ": " and the description of code behind the text. */
int error_set_errno(struct error *e, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Puts "<formatted>: " in front of the text. Returns code. */
int error_wrap(struct error *e, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Never NULL. */
const char *error_text(const struct error *e);
