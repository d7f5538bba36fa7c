/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the room: what each instruction set answers to code.h. */
#pragma once

#include <stdbool.h>

#include "code/code.h"

void x86_examine(const uint8_t *bytes, size_t n, uint64_t address, struct code_site *out);
/* 0 for what is none. */
size_t x86_instruction_size(const uint8_t *bytes, size_t n, uint64_t address);

void arm64_examine(const uint8_t *bytes, size_t n, uint64_t address, struct code_site *out);
