/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the room: an x86-64 instruction's effects, without and with a state. */
#pragma once

#include "code/step.h"
#include "code/x86_decode.h"

/* The registers that it writes. */
uint32_t x86_written(const struct x86_instruction *i);
/* Whether it writes memory, or may. */
bool x86_stores(const struct x86_instruction *i);

/* Carries state over the instruction; sets what of out needs one. */
void x86_carry(
	const struct x86_instruction *i, uint64_t address, struct state *state, struct step *out);
