/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the room: an AArch64 instruction's effects, without and with a state. */
#pragma once

#include "code/step.h"

/* The registers that it writes; a call only the link register. */
uint32_t arm64_written(uint32_t word);

/* Carries state over the instruction; sets what of out needs one. */
void arm64_carry(uint32_t word, uint64_t address, struct state *state, struct step *out);
