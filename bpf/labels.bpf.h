/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * From what a call carries to its label set: a key in the thread's scratch memory, and then a slot.
 * Not on the BPF stack, which is too small, nor in memory of the CPU: another thread's program may
 * come in between.
 */
#pragma once

#include "bpf/condition.bpf.h"
#include "bpf/process.bpf.h"
#include "bpf/series.bpf.h"

enum { COMM_BYTES = 16 };

/* The number of starts, of n from first on, that are not above number. */
verified_alone __u32 starts_not_above(__u32 first, __u32 n, __u64 number)
{
	__u32 low = 0;

	for (__u32 step = CARRY_MAX_STARTS; step; step >>= 1)
		if (low + step <= n &&
			carry.starts[(first + low + step - 1) & (CARRY_MAX_STARTS - 1)] <= number)
			low += step;
	return low;
}

always_inline void label_set_number(
	const volatile struct carry_label *l, __u8 *tag, __u64 *words, __u64 number)
{
	__u32 at, part = CARRY_RAW;

	if (l->first_part != CARRY_RAW) {
		at = l->first_part + starts_not_above(l->first_start, l->n_starts, number);
		if (at < CARRY_MAX_PARTS)
			part = carry.parts[at];
	}
	*tag = part == CARRY_RAW ? KEY_NUMBER : KEY_PART;
	words[0] = part == CARRY_RAW ? number : part;
}

/* Takes a number; false where that can't be read. */
always_inline bool label_take_number(
	const struct moment *m, const volatile struct carry_label *l, __u8 *tag, __u64 *words)
{
	__u64 number = 0;
	bool is_read = false;

	switch (l->operand.kind) {
	case CARRY_NUMBER:
	case CARRY_TRUTH:
		is_read = !take_number(m->ctx, m->stack, m->convention, &l->operand, &number);
		break;
	case CARRY_PID:
		is_read = !take_pid(&shape.pids, &number);
		break;
	case CARRY_CGROUP:
		number = bpf_get_current_cgroup_id();
		is_read = true;
		break;
	}
	if (is_read)
		label_set_number(l, tag, words, number);
	return is_read;
}

always_inline bool take_comm(__u64 *words)
{
	bpf_get_current_comm(words + 1, COMM_BYTES);
	words[0] = comm_size((const char *)(words + 1), COMM_BYTES);
	return true;
}

always_inline bool label_take_text(
	const struct moment *m, const volatile struct carry_label *l, __u8 *tag, __u64 *words)
{
	*tag = KEY_TEXT;
	switch (l->operand.kind) {
	case CARRY_TEXT:
		return !take_text(m->ctx, m->stack, m->convention, &l->operand, words);
	case CARRY_GO_TEXT:
		return !take_go_text(m->ctx, m->stack, m->convention, &l->operand, words);
	default:
		return take_comm(words);
	}
}

/* Takes a label into the key, whose words for it are zero; not 0: it is unreadable. */
own_frame int label_take(
	struct pt_regs *ctx, __u64 stack, __u32 how, struct label_key *key, __u32 index)
{
	const struct moment moment = moment_from(ctx, stack, 0, how), *m = &moment;
	const volatile struct carry_label *l = &carry.labels[index & (CARRY_MAX_LABELS - 1)];
	__u8 *tag = &key->tags[index & (CARRY_MAX_LABELS - 1)];
	__u64 *words;

	if (l->word >= KEY_MAX_WORDS - KEY_HEADER_WORDS)
		return 1;
	words = &key->words[l->word];
	switch (l->operand.kind) {
	case CARRY_TEXT:
	case CARRY_GO_TEXT:
	case CARRY_COMM:
		return !label_take_text(m, l, tag, words);
	case CARRY_EXE:
		*tag = KEY_NUMBER;
		return take_program(&shape.task, words);
	default:
		return !label_take_number(m, l, tag, words);
	}
}

always_inline void key_clear(struct label_key *key)
{
	__u64 *words = (__u64 *)key;

#pragma clang loop unroll(full)
	for (__u32 i = 0; i < KEY_MAX_WORDS; i++) {
		if (i >= carry.key_bytes / sizeof(__u64))
			break;
		words[i] = 0;
	}
}

/* The slot for the labels that are known now, of those that extend scope. */
own_frame __u32 label_set_find(struct pt_regs *ctx, __u64 stack, __u32 slot, __u32 how, __u32 scope)
{
	struct thread_calls *calls = thread_calls_take();
	struct label_key *key;

	if (!calls)
		return slot;
	key = &calls->key;
	key_clear(key);
	key->scope = scope;
#pragma clang loop unroll(full)
	for (__u32 i = 0; i < CARRY_MAX_LABELS; i++) {
		if (i >= carry.n_labels)
			break;
		if (carry.labels[i].operand.is_return != !!(how & HOW_IS_RETURN) ||
			!label_take(ctx, stack, how, key, i))
			continue;
		/* What can't be read the kernel has filled with zeros. */
		count_fault(slot);
		key->tags[i] = KEY_UNREADABLE;
	}
	return series_find(key, slot);
}
