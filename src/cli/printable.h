/* SPDX-License-Identifier: Apache-2.0 */
/* Names come from files that may be hostile, and go to a terminal. */
#pragma once

#include <stdio.h>

#include "plan/plan.h"

/* Writes text as valid UTF-8, without the characters that would steer a terminal. */
void printable_put(const char *text, FILE *out);

/* "  inlined 3x: main, other"; nothing where none is known. */
void printable_put_inlined(const struct plan_inlined *i, FILE *out);

/* "  jumps on at 1 of 2 exits"; nothing where it does at none. */
void printable_put_handover(const struct plan_site *s, FILE *out);

/* The class of a site's instruction, and how far it lies behind the function's first byte: "push",
 * "push +4"; behind a comma that of the dearest of its exits with sites; "-" where there is none.
 * At least width characters. */
void printable_put_cost(const struct plan_site *s, int width, FILE *out);
