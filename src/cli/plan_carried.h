/* SPDX-License-Identifier: Apache-2.0 */
/* What a plan's probe reads of its calls, for people and for programs. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "config/config.h"

/* A line for each label, condition and value; none for a probe that reads nothing. */
void plan_put_carried(const struct probe *p, FILE *out);

/* `carries` in plan_print.h, a new reference. */
json_t *plan_carried_json(const struct probe *p);
