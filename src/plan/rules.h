/* SPDX-License-Identifier: Apache-2.0 */
/* What can be known of a kernel without trying it. */
#pragma once

#include "plan/plan.h"

/* The rules for the kernel of that release, as uname(2) gives it: what may be wrong in some build
 * of it is not allowed. */
struct plan_rules rules_of_release(const char *release);

/* The rules for the kernel that runs. */
struct plan_rules rules_guess(void);
