/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of processes, in the forms in which lower floors ask for it. */
#pragma once

#include "plan/carry.h"
#include "target/naming.h"
#include "trace/trace.h"

struct carry_names names_of(struct naming *n);
struct trace_gone names_gone(struct naming *n);
