/* SPDX-License-Identifier: Apache-2.0 */
/* What a probe takes from its calls, in the form that the kernel's side knows; pure. */
#pragma once

#include "bpf/carry.h"
#include "config/config.h"

/* Whether calls of the probe have label sets, conditions or values at all. */
bool carry_is_wanted(const struct probe *p);

/* Whether the probe's calls are known to count when they return alone: a label or `only` needs
 * that. */
bool carry_is_late(const struct probe *p);

/* Whether something that a call carries is known, or added, when it returns alone. */
bool carry_needs_return(const struct probe *p);

/* Whether something is read from results. */
bool carry_reads_return(const struct probe *p);

/* Whether something is read from arguments. */
bool carry_reads_arguments(const struct probe *p);

/* Fills out for cells whose words from first_word on are free; returns the first that is free
 * behind. */
uint32_t carry_init(struct carry *out, const struct probe *p, uint32_t first_word);
