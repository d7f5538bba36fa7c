/* SPDX-License-Identifier: Apache-2.0 */
/* What the functions that a glob or a regular expression selects are called in metrics. */
#pragma once

#include "plan/select.h"

/* Sets the labels of those functions of one probe that no plain name led to: as short as tells them
 * apart. Changes the order of the array. */
void labels_settle(struct function **functions, size_t n, struct arena *a);
