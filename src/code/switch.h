/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that switch stacks, found without knowing where functions begin. */
#pragma once

#include <stdbool.h>

#include "elf/file.h"

/* What is found lies within so many bytes: who searches code piece by piece lets them overlap. */
enum { CODE_SWITCH_SPAN = 1024 };

/* Whether somewhere in the code the stack pointer is saved, another one is loaded from elsewhere
 * than this stack, and control leaves on that one, all without a call in between: as whoever writes
 * a switch of stacks by hand does it, and no compiler. Also true of code that is made to look like
 * that too often to be followed. */
bool code_switches_stacks(enum elf_machine machine, const uint8_t *bytes, size_t n);
