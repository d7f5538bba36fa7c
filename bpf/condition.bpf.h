/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Whether a call meets a condition, and what goes on beside: moments, faults. */
#pragma once

#include "bpf/cells.bpf.h"
#include "bpf/operand.bpf.h"

/* A moment in few words: functions with frames of their own take five. */
enum { HOW_IS_RETURN = 1, HOW_IS_GO = 2 };

always_inline __u32 how_of(const struct moment *m)
{
	return (m->is_return ? HOW_IS_RETURN : 0) |
	       (m->convention == CONVENTION_GO ? HOW_IS_GO : 0);
}

always_inline struct moment moment_from(struct pt_regs *ctx, __u64 stack, __u32 slot, __u32 how)
{
	return (struct moment){
		.ctx = ctx,
		.stack = stack,
		.slot = slot,
		.is_return = how & HOW_IS_RETURN,
		.convention = how & HOW_IS_GO ? CONVENTION_GO : CONVENTION_C,
	};
}

always_inline void count_fault(__u32 slot)
{
	struct loss *l = loss_of(slot, shape.loss_mask);

	if (l)
		__sync_fetch_and_add(&l->read_faults, 1);
}

/* What can't be read holds nowhere. */
own_frame int condition_holds(struct pt_regs *ctx, __u64 stack, __u32 slot, __u32 how,
	const volatile struct carry_condition *c)
{
	const struct moment m = moment_from(ctx, stack, slot, how);
	__u64 number = 0;

	if (take_number(m.ctx, m.stack, m.convention, &c->operand, &number)) {
		count_fault(slot);
		return 0;
	}
	return (number - c->low <= c->high - c->low) != c->is_outside;
}

always_inline bool holds(const struct moment *m, const volatile struct carry_condition *c)
{
	return condition_holds(m->ctx, m->stack, m->slot, how_of(m), c);
}

/* Whether there is a condition that is to be looked at now. */
always_inline bool is_due(const struct moment *m, const volatile struct carry_operand *o)
{
	return o->kind != CARRY_NOTHING && o->is_return == m->is_return;
}
