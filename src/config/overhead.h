/* SPDX-License-Identifier: Apache-2.0 */
/* `overhead`: the CPU time that probes may cost before they are shed. */
#pragma once

#include "config/fields.h"

/* Into a struct overhead. */
field_read overhead_read;

void overhead_default(struct overhead *out);
