/* SPDX-License-Identifier: Apache-2.0 */
/* The key `values` of a probe: numbers that calls carry, as families of their own. */
#pragma once

#include "config/fields.h"

/* Into a struct values. */
field_read values_read;
