/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Numbers that calls carry. One that is added at the return, but known at the entry, waits in the
 * call's frame.
 */
#pragma once

#include "bpf/condition.bpf.h"

/* The number of bounds, of n from first on, that are below number. */
verified_alone __u32 bounds_below(__u32 first, __u32 n, __u64 number)
{
	__u32 low = 0;

	for (__u32 step = CARRY_MAX_BOUNDS; step; step >>= 1)
		if (low + step <= n &&
			carry.bounds[(first + low + step - 1) & (CARRY_MAX_BOUNDS - 1)] < number)
			low += step;
	return low;
}

/* The word of a value's buckets that counts a number. */
verified_alone __u32 piece_of(__u32 first_bound, __u32 n_bounds, __u32 native, __u64 number)
{
	bool is_signed = native == NATIVE_SIGNED;
	__u32 bucket = bounds_below(first_bound, n_bounds, number);

	if (native == NATIVE_NONE)
		return bucket;
	return bucket + native_rank_of_value(is_signed, is_signed ? number ^ 1ULL << 63 : number);
}

always_inline void add_value(__u32 slot, const volatile struct carry_value *v, __u64 number)
{
	bool is_signed = v->operand.is_signed;
	__u64 bits = is_signed ? number ^ 1ULL << 63 : number;
	__u64 *cell;
	__u32 bucket;

	/* A counter never goes down. */
	if (v->is_counter && is_signed && (__s64)bits < 0)
		return;
	cell = cell_of(slot);
	if (!cell)
		return;
	__sync_fetch_and_add(&cell[v->word], bits);
	if (v->is_counter)
		return;
	bucket = piece_of(v->first_bound, v->n_bounds, v->native, number);
	if (bucket < v->n_buckets)
		__sync_fetch_and_add(&cell[v->word + 1 + bucket], 1);
}

/* Of a value that is added at the return: keeps the number for it, and notes that nothing so far
 * speaks against it. */
always_inline void value_keep(const struct moment *m, const volatile struct carry_value *v,
	__u32 index, struct taken *taken)
{
	__u64 number = 0;

	if (is_due(m, &v->only.operand) && !holds(m, &v->only))
		return;
	if (v->carried) {
		if (take_number(m->ctx, m->stack, m->convention, &v->operand, &number)) {
			count_fault(m->slot);
			return;
		}
		taken->carried[(v->carried - 1) & (CARRY_MAX_CARRIED - 1)] = number;
	}
	taken->holds |= 1U << index;
}

always_inline void value_take(const struct moment *m, const volatile struct carry_value *v,
	__u32 index, const struct taken *taken, __u32 slot)
{
	__u64 number = 0;

	if (v->is_late && !(taken->holds & 1U << index))
		return;
	if (is_due(m, &v->only.operand) && !holds(m, &v->only))
		return;
	if (v->carried)
		number = taken->carried[(v->carried - 1) & (CARRY_MAX_CARRIED - 1)];
	else if (take_number(m->ctx, m->stack, m->convention, &v->operand, &number)) {
		count_fault(m->slot);
		return;
	}
	add_value(slot, v, number);
}

always_inline void values_begin(const struct moment *m, struct taken *taken)
{
#pragma clang loop unroll(full)
	for (__u32 i = 0; i < CARRY_MAX_VALUES; i++) {
		const volatile struct carry_value *v = &carry.values[i];

		if (i >= carry.n_values)
			break;
		if (v->is_late)
			value_keep(m, v, i, taken);
		else
			value_take(m, v, i, taken, taken->series);
	}
}

always_inline void values_end(const struct moment *m, const struct taken *taken, __u32 slot)
{
#pragma clang loop unroll(full)
	for (__u32 i = 0; i < CARRY_MAX_VALUES; i++) {
		if (i >= carry.n_values)
			break;
		if (carry.values[i].is_late)
			value_take(m, &carry.values[i], i, taken, slot);
	}
}
