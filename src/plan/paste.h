/* SPDX-License-Identifier: Apache-2.0 */
/* Names as they can be written in the configuration. */
#pragma once

#include "base/arena.h"

/* In single quotes: 'shop::total(int)'. */
const char *paste_quoted(const char *name, struct arena *a);

/* In quotes only where YAML wants them. */
const char *paste_name(const char *name, struct arena *a);
