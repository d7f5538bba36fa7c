/* SPDX-License-Identifier: Apache-2.0 */
/* What a probe's calls carry, as a whole: when it is known, and what must hold between its keys. */
#pragma once

#include "config/fields.h"

enum { CARRIED_COMM_BYTES = 16 };

/* The most operands that a probe can have. */
enum { CARRIED_MAX_OPERANDS = CONFIG_MAX_DYNAMIC + 2 + 2 * CONFIG_MAX_VALUES };

/* All operands of a probe; how many there are. */
size_t carried_operands(const struct probe *p, const struct operand *out[CARRIED_MAX_OPERANDS]);

/* Whether calls of the probe have label sets, conditions or values at all. */
bool carried_is_wanted(const struct probe *p);

/* Whether the return alone tells a label. */
bool carried_label_is_late(const struct dynamic_label *l);

/* Whether the probe's calls are known to count when they return alone: a label or `only` needs
 * that. */
bool carried_is_late(const struct probe *p);

/* Whether something that a call carries is known, or added, when it returns alone. */
bool carried_needs_return(const struct probe *p);

/* Whether something is read from results. */
bool carried_reads_return(const struct probe *p);

/* Whether something is read from arguments. */
bool carried_reads_arguments(const struct probe *p);

/* Whether a value is added when the call returns. */
bool carried_value_is_late(const struct probe *p, const struct value *v);

/* Words of a key (see bpf/carry.h) that a label takes. */
uint32_t carried_words(const struct dynamic_label *l);

/* Reports what doesn't hold, and fills in max_series. */
void carried_check(struct reader *r, const struct node *node, struct probe *p);
