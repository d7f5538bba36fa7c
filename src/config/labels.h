/* SPDX-License-Identifier: Apache-2.0 */
/* Labels: constant ones, and in a probe those whose values calls bring along. */
#pragma once

#include "config/fields.h"

/* Labels that one mapping may have. */
enum { LABELS_MAX = 64 };

/* Into a struct labels. */
field_read labels_read;

/* Into a struct probe: both. */
field_read labels_read_of_probe;

/* Puts the global labels in front of own, but for those that own has too: its values win. */
void labels_merge(struct arena *arena, const struct labels *global, struct probe *own);
