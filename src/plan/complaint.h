/* SPDX-License-Identifier: Apache-2.0 */
/* What is told to people of a pattern that doesn't lead to just the functions that it should. */
#pragma once

#include "plan/request.h"

void complain_nothing_chosen(const struct request *r);
void complain_excluded(const struct request *r);
void complain_ambiguous(const struct request *r, size_t n_functions);

/* A clone that stands for the chosen function, unless it is refused; and the copies and parts of it
 * that were not chosen. */
void note_clones(const struct request *r, bool is_refused);
