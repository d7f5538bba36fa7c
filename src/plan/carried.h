/* SPDX-License-Identifier: Apache-2.0 */
/* Whether what a probe wants of its calls can be had of a function. */
#pragma once

#include "plan/select.h"

/* Whether a function is called by Go's own convention. */
bool is_called_as_go(struct elf_file *elf, uint64_t address);

/* Why s, with its exit chosen, must not exist, for what its calls carry could not be read; or
 * NULL. */
const char *carry_refusal(const struct plan_site *s, const struct function *f, struct arena *a);

/* What is likely meant otherwise, or NULL. Static. */
const char *carry_note(const struct plan_site *s);
