/* SPDX-License-Identifier: Apache-2.0 */
/* Where the arguments of USDT points are; pure. */
#pragma once

#include <stddef.h>

#include "bpf/usdt.h"
#include "config/config.h"
#include "elf/file.h"

/* Reads a note's text, in the assembler's words: "8@%rdi -4@16(%rbp)". Those whose location it
 * can't tell are USDT_UNKNOWN. Returns how many there are, also beyond those that out has room for.
 */
size_t usdt_arguments_parse(struct usdt_place *out, enum elf_machine machine, const char *text);

/* Why a probe can't read what it wants of a place, at which calls begin or (is_end) end; or
 * NULL. */
const char *usdt_arguments_refusal(const struct usdt_place *place, size_t n, const struct probe *p,
	bool is_end, struct arena *a);
