/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What is done with what calls carry (carry.h): when one begins, `only` may reject it, its label
 * set finds it the slot that counts it, and its values are added; when it ends, what is known then.
 *
 * A call whose labels or `only` need the return is late: it counts then, in a slot of all its
 * labels. Until then the slot of those that are known at the entry has it under way.
 */
#pragma once

#include "bpf/labels.bpf.h"
#include "bpf/values.bpf.h"

/* In taken.holds, beside a bit for each value: what is known at the entry of a late error. */
enum { ERROR_HOLDS = 1 << CARRY_MAX_VALUES };

always_inline void count_rest(__u32 slot)
{
	struct loss *l = loss_of(slot, shape.loss_mask);

	if (l)
		__sync_fetch_and_add(&l->overflow, 1);
}

/* Whether a call in that slot is one of those that no label set could be had for. */
always_inline bool is_rest(const struct moment *m, __u32 slot)
{
	return carry.key_bytes && slot == m->slot;
}

/* Meets a call that begins: whether it is known by then not to be wanted. */
always_inline bool carry_rejects(const struct moment *m)
{
	if (carry.is_used)
		add_word(m->slot, carry.hits_word, 1);
	return is_due(m, &carry.only.operand) && !holds(m, &carry.only);
}

/* Has a label set count the call that begins. */
always_inline void carry_count(const struct moment *m, struct taken *out)
{
	if (carry.has_entry_labels)
		out->series = label_set_find(m->ctx, m->stack, m->slot, how_of(m), m->slot);
	if (carry.is_late) {
		add_word(out->series, carry.begun_word, 1);
		return;
	}
	count_call(out->series);
	if (is_rest(m, out->series))
		count_rest(m->slot);
}

own_frame int carry_take_begin(
	struct pt_regs *ctx, __u64 stack, __u32 slot, __u32 how, struct taken *out)
{
	const struct moment moment = moment_from(ctx, stack, slot, how), *m = &moment;

	out->holds = 0;
	carry_count(m, out);
	if (is_due(m, &carry.errors.operand) && holds(m, &carry.errors)) {
		if (carry.is_late)
			out->holds |= ERROR_HOLDS;
		else
			add_word(out->series, carry.errors_word, 1);
	}
	values_begin(m, out);
	return 0;
}

/* Counts a call that begins, as far as it can be; out is for its end. */
always_inline void carry_begin(const struct moment *m, struct taken *out)
{
	out->series = m->slot;
	if (carry.is_used)
		carry_take_begin(m->ctx, m->stack, m->slot, how_of(m), out);
	else
		count_call(m->slot);
}

/* The same of a call whose end will not be seen, and goes for missed where that was wanted. */
always_inline void carry_begin_only(const struct moment *m, bool is_missed)
{
	struct thread_calls *calls;
	__u32 slot = m->slot;

	calls = carry.is_used ? thread_calls_take() : NULL;
	if (calls) {
		carry_begin(m, &calls->spare);
		slot = calls->spare.series;
	} else {
		count_call(slot);
	}
	if (is_missed)
		count_missed(slot);
}

/* The slot that counts a late call which ends, or SERIES_NONE. */
always_inline __u32 late_series(const struct moment *m, const struct taken *taken)
{
	if (is_due(m, &carry.only.operand) && !holds(m, &carry.only))
		return SERIES_NONE;
	if (!carry.has_return_labels || (carry.has_entry_labels && taken->series == m->slot))
		return taken->series;
	return label_set_find(m->ctx, m->stack, m->slot, how_of(m), taken->series);
}

/* Counts a late call; false where it doesn't count. */
always_inline bool late_count(const struct moment *m, struct taken *taken)
{
	add_word(taken->series, carry.begun_word + 1, 1);
	taken->series = late_series(m, taken);
	if (taken->series == SERIES_NONE)
		return false;
	count_call(taken->series);
	if (is_rest(m, taken->series))
		count_rest(m->slot);
	return true;
}

own_frame __u32 carry_take_end(
	struct pt_regs *ctx, __u64 stack, __u32 slot, __u32 how, struct taken *taken)
{
	const struct moment moment = moment_from(ctx, stack, slot, how), *m = &moment;

	if (taken->series == SERIES_NONE || (carry.is_late && !late_count(m, taken)))
		return SERIES_NONE;
	if (is_due(m, &carry.errors.operand) ? holds(m, &carry.errors)
					     : carry.errors_word && taken->holds & ERROR_HOLDS)
		add_word(taken->series, carry.errors_word, 1);
	values_end(m, taken, taken->series);
	return taken->series;
}

/* Counts what is known at the end; the slot that counts its duration, or SERIES_NONE. */
always_inline __u32 carry_end(const struct moment *m, struct taken *taken)
{
	return carry.is_used ? carry_take_end(m->ctx, m->stack, m->slot, how_of(m), taken)
			     : m->slot;
}

/* A call that began at start_ns has ended. */
always_inline void count_end(
	const struct moment *m, struct taken *taken, __u64 start_ns, __u64 now_ns)
{
	__u32 slot;

	if (is_outdated(m->slot, start_ns, now_ns)) {
		count_abandoned(carry.is_used ? taken->series : m->slot, shape.loss_mask);
		return;
	}
	slot = carry_end(m, taken);
	if (slot != SERIES_NONE)
		count_duration(slot, now_ns <= start_ns ? 0 : now_ns - start_ns);
}
