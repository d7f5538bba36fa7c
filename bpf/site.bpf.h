/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a program finds where its site is, with what the attach cookie says of the place. */
#pragma once

#include "bpf/condition.h"
#include "bpf/frames.bpf.h"

/* The stack pointer that a call has at its entry, seen from its site there, or from an exit. */
always_inline __u64 stack_of(struct pt_regs *ctx, __u64 cookie)
{
	return PT_REGS_SP(ctx) + 8 * (cookie >> COOKIE_DEPTH_SHIFT & 0xffff);
}

/* Which of its probe's places a USDT point's site is. */
always_inline __u64 place_of(__u64 cookie)
{
	return cookie >> COOKIE_DETAIL_SHIFT & 0xff;
}

/* Whether what happens at a site on a conditional jump is what the site is for. */
always_inline bool is_meant(struct pt_regs *ctx, __u64 cookie)
{
	__u8 condition = cookie >> COOKIE_DETAIL_SHIFT & 0xff;

	if (!(cookie & COOKIE_IS_CONDITIONAL))
		return true;
#if defined(__TARGET_ARCH_x86)
	return condition_holds_x86(condition, ctx->eflags);
#else
	return condition_holds_arm64(condition, ((struct user_pt_regs *)ctx)->pstate);
#endif
}
