/* SPDX-License-Identifier: Apache-2.0 */
/* Reading `probes`. */
#pragma once

#include "config/fields.h"

/* Into config->probes. To be called when `global` has been read. */
field_read probes_read;
