/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Whether a conditional jump will be taken: pure, so that unit tests run it without a kernel. A
 * site on a jump that may leave the function fires either way; only a taken one ends the call.
 */
#pragma once

#include <stdbool.h>

#include <linux/types.h>

/* x86-64: the low four bits of a jcc's opcode, and the flags register. */
static inline __attribute__((__always_inline__)) bool condition_holds_x86(
	__u8 condition, __u64 flags)
{
	bool carry = flags & 1, parity = flags & 4, zero = flags & 0x40;
	bool sign = flags & 0x80, overflow = flags & 0x800, holds;

	switch (condition >> 1) {
	case 0:
		holds = overflow;
		break;
	case 1:
		holds = carry;
		break;
	case 2:
		holds = zero;
		break;
	case 3:
		holds = carry || zero;
		break;
	case 4:
		holds = sign;
		break;
	case 5:
		holds = parity;
		break;
	case 6:
		holds = sign != overflow;
		break;
	default:
		holds = zero || sign != overflow;
	}
	return holds != (condition & 1);
}

/* arm64: the condition field of b.cond, and pstate. */
static inline __attribute__((__always_inline__)) bool condition_holds_arm64(
	__u8 condition, __u64 pstate)
{
	bool negative = pstate >> 31 & 1, zero = pstate >> 30 & 1;
	bool carry = pstate >> 29 & 1, overflow = pstate >> 28 & 1, holds;

	switch (condition >> 1) {
	case 0:
		holds = zero;
		break;
	case 1:
		holds = carry;
		break;
	case 2:
		holds = negative;
		break;
	case 3:
		holds = overflow;
		break;
	case 4:
		holds = carry && !zero;
		break;
	case 5:
		holds = negative == overflow;
		break;
	case 6:
		holds = !zero && negative == overflow;
		break;
	default:
		return true;
	}
	return holds != (condition & 1);
}
