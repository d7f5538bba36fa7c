/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the instructions say about probing them. The one room that knows an instruction set.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/file.h"

/* What the kernel does at a breakpoint on the instruction, cheapest first. All but COST_STEP are
 * emulated; COST_STEP is single-stepped out of line, at 3 to 14 times the cost. Older kernels
 * also step some of COST_NOP (longer nops on x86-64 before 6.16, nop on arm64 before 6.12).
 * COST_NOP5 is every nop of 5 bytes: kernels from 6.18 on may put a call in its place. */
enum cost_class { COST_NOP5, COST_NOP, COST_PUSH, COST_CALL, COST_STEP };
enum { N_COST_CLASSES = COST_STEP + 1 };

const char *cost_class_name(enum cost_class c); /* nop5 nop push call step */

struct code_site {
	enum cost_class cost;
	const char *refusal; /* a static text: why the instruction must not be probed; or NULL */
	uint8_t size;        /* of the instruction, in bytes */
	bool is_nop;         /* it does nothing, whatever its size */
};

/* Looks at the instruction at the start of bytes (n of them, at most 16 are used), which lies at
 * address. What doesn't decode, and what the kernel can't probe, is refused. */
void code_examine_entry(enum elf_machine machine, const uint8_t *bytes, size_t n, uint64_t address,
	struct code_site *out);
