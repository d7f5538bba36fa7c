/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A function of a file as it is decoded: its code, the parts of it that a compiler moved away, and
 * where else control comes in.
 */
#pragma once

#include "code/function.h"

/* What depends on the probe, see struct code_question. */
struct body_question {
	uint64_t address, size;
	bool reads_arguments, allows_nop5, allows_depth, probes_exits;
};

/* NULL, or a static text: why there is nothing to decode. out is to be freed either way. */
const char *body_decode(
	struct code_function *out, struct elf_file *elf, const struct body_question *question);

/* Whether an instruction begins at an address in a frame, as the frame's code is decoded from its
 * start on. */
bool body_begins_instruction(struct elf_file *elf, const struct elf_frame *frame, uint64_t address);
