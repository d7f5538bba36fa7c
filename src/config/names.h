/* SPDX-License-Identifier: Apache-2.0 */
/* What holds between probes: each has a name of its own, and probes of one metric one help. */
#pragma once

#include "config/fields.h"

/* probes: the node that config->probes was read from. Gives names to those without, and a
 * metric's help to all its probes. */
void names_settle(struct reader *r, const struct node *probes);
