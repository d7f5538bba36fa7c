/* SPDX-License-Identifier: Apache-2.0 */
/* Reading function patterns; matching is declared in config.h. */
#pragma once

#include "config/fields.h"

/* Into a struct patterns: one text, or a list of them. */
field_read patterns_read;

/* What a regular expression holds outside the arena. */
void patterns_deinit(struct patterns *p);
