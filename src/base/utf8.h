/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text from strangers, made fit to print. Symbol names, paths and configuration are bytes; what
 * leaves the exporter is valid UTF-8 and escaped for where it goes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

/* Bytes of the well-formed sequence (RFC 3629) that text starts with; 0 when there is none, also
 * at the end of text. */
size_t utf8_sequence_size(const char *text);

/* What stands for c in the output; NULL: c itself. Asked for ASCII characters alone. */
typedef const char *utf8_escape(char c);

/* Appends text, each byte that is in no well-formed sequence as \xNN: unlike U+FFFD, that keeps
 * different names different. escape may be NULL, and sees the spelt-out text too. Returns whether
 * all bytes were well-formed. */
bool utf8_put(struct buffer *b, const char *text, utf8_escape *escape);

/* The same of n bytes, with a NUL behind them; one among them is spelt out. */
bool utf8_put_bytes(struct buffer *b, const char *bytes, size_t n, utf8_escape *escape);

/* The size of n bytes, with a NUL behind them, less a character at their end that is cut. */
size_t utf8_whole_size(const char *bytes, size_t n);
