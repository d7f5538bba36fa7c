/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of HTML. Text given here is escaped; it needs no trust. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"

void html_put(struct buffer *out, const char *text);

/* Table cells. */
void html_cell(struct buffer *out, const char *text);
void html_cell_count(struct buffer *out, uint64_t value);

/* A row of column heads; a name that begins with '#' is one of numbers. */
void html_head_row(struct buffer *out, const char *const *names, size_t n);
