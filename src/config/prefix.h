/* SPDX-License-Identifier: Apache-2.0 */
/* The `metric` of a probe: what its families' names start with. */
#pragma once

#include "config/fields.h"

/* The prefix of probes without `metric`. */
#define PREFIX_DEFAULT "uprobe_function"

/* Into a const char *. */
field_read prefix_read;
