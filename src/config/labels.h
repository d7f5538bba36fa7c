/* SPDX-License-Identifier: Apache-2.0 */
/* Constant labels. */
#pragma once

#include "config/fields.h"

/* Labels that one mapping may have. */
enum { LABELS_MAX = 64 };

/* Into a struct labels. */
field_read labels_read;

/* Puts the global labels in front of own, but for those that own has too: its values win. */
void labels_merge(struct arena *arena, const struct labels *global, struct labels *own);
