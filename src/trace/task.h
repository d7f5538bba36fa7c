/* SPDX-License-Identifier: Apache-2.0 */
/* Where the running kernel keeps what BPF programs look up of a thread. */
#pragma once

#include "bpf/calls.h"

/* Asks the running kernel's own description of its types. What it doesn't tell, or has in another
 * shape than bpf/calls.h expects, is TASK_LAYOUT_UNKNOWN. */
void task_layout_find(struct task_layout *out);
