/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Where the arguments of a USDT point are at one of its places, as the note there says. The places
 * of a probe that have theirs in the same locations share an element of a table, whose index is in
 * their attach cookies. What is pure of reading them is here, so that unit tests run it.
 */
#pragma once

#include <stdbool.h>

#include <linux/types.h>

enum {
	USDT_MAX_ARGUMENTS = 8,
	USDT_MAX_PLACES = 256, /* as many as a cookie's detail can tell apart */
	USDT_NO_REGISTER = 0xff,
};

enum usdt_kind { USDT_UNKNOWN, USDT_CONSTANT, USDT_REGISTER, USDT_MEMORY };

/* Registers are told by their words in struct pt_regs. */
struct usdt_location {
	__s64 number;     /* the constant; or what is added to the address */
	__u8 kind;        /* enum usdt_kind */
	__u8 base, index; /* the register; or the address is base + (index << shift) */
	__u8 shift;
	__u8 bytes; /* 1, 2, 4 or 8 */
	__u8 is_signed;
	__u8 padding[2];
};

struct usdt_place {
	struct usdt_location arguments[USDT_MAX_ARGUMENTS];
};

_Static_assert(sizeof(struct usdt_place) == 16 * USDT_MAX_ARGUMENTS, "usdt_place");

/* Only so many bytes of a word are the argument's; it is as much as they are, in 64 bits. */
static inline __attribute__((__always_inline__)) __u64 usdt_extend(
	__u32 bytes, bool is_signed, __u64 word)
{
	__u32 unused = (64 - 8 * bytes) & 63;

	word <<= unused;
	return is_signed ? (__u64)((__s64)word >> unused) : word >> unused;
}
