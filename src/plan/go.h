/* SPDX-License-Identifier: Apache-2.0 */
/* What is special about probing functions of Go programs. */
#pragma once

#include "elf/go.h"

/* The function of Go's own that begins at address; false where there is none. */
bool go_function_find(struct elf_file *elf, uint64_t address, struct go_function *out);

/* Why calls of the function at address can't be counted at its first instructions; or NULL. A
 * static text. */
const char *go_count_refusal(struct elf_file *elf, uint64_t address);

/* Why calls of the function at address, in a file whose stacks move, can't be told apart by their
 * goroutines; or NULL. A static text. */
const char *go_time_refusal(struct elf_file *elf, uint64_t address);
