/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reading arguments of USDT points, which are in other registers at each place. */
#pragma once

#include "bpf/frames.bpf.h"
#include "bpf/usdt.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1); /* set by user space */
	__type(key, __u32);
	__type(value, struct usdt_place);
} usdt_places SEC(".maps");

/* The register whose word has that index; 0 for none. */
always_inline __u64 usdt_register(struct pt_regs *ctx, __u32 index)
{
	__u64 word = 0;

	if (index != USDT_NO_REGISTER)
		bpf_probe_read_kernel(&word, sizeof(word), (void *)ctx + 8 * (index & 63));
	return word;
}

always_inline bool usdt_read(struct pt_regs *ctx, const struct usdt_location *l, __u64 *out)
{
	__u64 word = 0, address;

	switch (l->kind) {
	case USDT_CONSTANT:
		word = (__u64)l->number;
		break;
	case USDT_REGISTER:
		word = usdt_register(ctx, l->base);
		break;
	case USDT_MEMORY:
		address = usdt_register(ctx, l->base) +
			  (usdt_register(ctx, l->index) << (l->shift & 3)) + (__u64)l->number;
		if (l->bytes > sizeof(word) ||
			bpf_probe_read_user(&word, l->bytes, (const void *)address))
			return false;
		break;
	default:
		return false;
	}
	*out = usdt_extend(l->bytes, l->is_signed, word);
	return true;
}

/* Argument number n, from 1, of the point at that place. Not 0: unreadable. */
own_frame int usdt_word(struct pt_regs *ctx, __u32 place, __u32 n, __u64 *out)
{
	const struct usdt_place *p = bpf_map_lookup_elem(&usdt_places, &place);
	__u32 index = n - 1;

	if (!p || index >= USDT_MAX_ARGUMENTS)
		return 1;
	return !usdt_read(ctx, &p->arguments[index], out);
}
