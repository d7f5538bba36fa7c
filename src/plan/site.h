/* SPDX-License-Identifier: Apache-2.0 */
/* From a function to a site: whether its entry can be probed, and how its end can be seen. */
#pragma once

#include "plan/select.h"

/* A site in plan's arena, without a series and a key yet. Never fails: what can't be is refused. */
struct plan_site *site_new(struct plan *plan, const struct function *f);

/* What is asked of a place in the file, whatever is there. */
extern const char writable_refusal[];

/* Takes bytes off what may be decoded for a selection; NULL, or why that is too much. */
const char *selection_spend_code(struct selection *s, uint64_t n_bytes);

/* Reads the bytes at an offset, as many of n as there are before the file ends; how many. */
uint8_t site_read_bytes(uint8_t *bytes, uint8_t n, const struct elf_file *elf, uint64_t offset);
