/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the room: the choice of the entry's site. */
#pragma once

#include "code/walk.h"

/* is_known: the exits are known, and so is where every indirect jump leads. */
void entry_choose(const struct walk *w, bool is_known, struct code_entry *out);
