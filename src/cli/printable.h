/* SPDX-License-Identifier: Apache-2.0 */
/* Names come from files that may be hostile, and go to a terminal. */
#pragma once

#include <stdio.h>

/* Writes text as valid UTF-8, without the characters that would steer a terminal. */
void printable_put(const char *text, FILE *out);
