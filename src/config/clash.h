/* SPDX-License-Identifier: Apache-2.0 */
/* What all probes together export: no two families may meet. */
#pragma once

#include "config/fields.h"

/* Reports families that can't be one, at the later in the file; probes: the list. */
void clash_check(struct reader *r, const struct node *probes);
