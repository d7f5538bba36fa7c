/* SPDX-License-Identifier: Apache-2.0 */
/* What a probe takes from its calls, in the form that the kernel's side knows; pure. */
#pragma once

#include "base/buffer.h"
#include "bpf/carry.h"
#include "config/config.h"

/* Fills out for cells whose words from first_word on are free; returns the first that is free
 * behind. */
uint32_t carry_init(struct carry *out, const struct probe *p, uint32_t first_word);

/* What names what a key has as a number alone; NULL where it isn't known. {}: nothing is. */
struct carry_names {
	const char *(*of_program)(uint64_t device, uint64_t inode, void *data);
	const char *(*of_cgroup)(uint64_t id, void *data);
	void *data;
};

/* The value that label number `index` of the probe has in a key: text, as the program had it. It
 * may have NULs in it, and bytes that are no UTF-8. */
void carry_put_label(struct buffer *out, const struct probe *p, const struct carry *c, size_t index,
	const struct label_key *key, const struct carry_names *names);
