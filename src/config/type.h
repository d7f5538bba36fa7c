/* SPDX-License-Identifier: Apache-2.0 */
/* What a plain scalar is: YAML 1.2's core schema. */
#pragma once

#include <regex.h>

#include "config/document.h"

enum { TYPE_PATTERNS = 3 };

struct types {
	regex_t patterns[TYPE_PATTERNS];
};

void types_init(struct types *t);
void types_deinit(struct types *t);

/* NODE_NULL, NODE_BOOLEAN, NODE_NUMBER or, for all else, NODE_TEXT. */
enum node_kind types_find(const struct types *t, const char *text);
