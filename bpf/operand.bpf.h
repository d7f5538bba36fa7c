/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reading what a call carries. The descriptions are constants by the time that the kernel verifies
 * a program, so that of each operand only what it needs is left of all this.
 *
 * A word is read with an instruction of its own for each register: the compiler would else make
 * one load of many, at an address that the verifier refuses.
 */
#pragma once

#include "bpf/arguments.h"
#include "bpf/usdt.bpf.h"

const volatile struct carry carry SEC(".rodata.carry");

/* Where and when a call is looked at. */
struct moment {
	struct pt_regs *ctx;
	__u64 stack; /* the stack pointer at the call's entry; of a USDT point, which place it is */
	__u32 slot;  /* of the cookie */
	bool is_return;
	enum convention convention;
};

#define LOAD_WORD(ctx, index)                                                                    \
	({                                                                                       \
		__u64 word_;                                                                     \
		asm volatile("%0 = *(u64 *)(%1 + %2)" : "=r"(word_) : "r"(ctx), "i"((index)*8)); \
		word_;                                                                           \
	})

/* All but what points somewhere is known to the compiler. false: unreadable. */
always_inline bool word_at(struct pt_regs *ctx, __u64 stack, enum convention convention,
	bool is_return, __u32 n, __u64 *out)
{
	const int index = argument_register(convention, is_return, n);

	if (index >= 0) {
		*out = LOAD_WORD(ctx, index >= 0 ? index : 0);
		return true;
	}
	if (index != ARGUMENT_ON_STACK)
		return false;
	return !bpf_probe_read_user(
		out, sizeof(*out), (const void *)(stack + argument_stack_offset(n)));
}

always_inline bool word_of(struct pt_regs *ctx, __u64 stack, enum convention convention,
	bool is_return, __u32 n, __u64 *out)
{
	switch (n) {
	case 1:
		return word_at(ctx, stack, convention, is_return, 1, out);
	case 2:
		return word_at(ctx, stack, convention, is_return, 2, out);
	case 3:
		return word_at(ctx, stack, convention, is_return, 3, out);
	case 4:
		return word_at(ctx, stack, convention, is_return, 4, out);
	case 5:
		return word_at(ctx, stack, convention, is_return, 5, out);
	case 6:
		return word_at(ctx, stack, convention, is_return, 6, out);
	case 7:
		return word_at(ctx, stack, convention, is_return, 7, out);
	case 8:
		return word_at(ctx, stack, convention, is_return, 8, out);
	case 9:
		return word_at(ctx, stack, convention, is_return, 9, out);
	default:
		return false;
	}
}

/* The word that is argument or result number n, from 1, of a function of that convention. */
always_inline bool read_word(struct pt_regs *ctx, __u64 stack, enum convention convention,
	bool is_return, __u32 n, __u64 *out)
{
	if (carry.is_point)
		return !usdt_word(ctx, (__u32)stack, n, out);
	if (convention == CONVENTION_GO)
		return is_return ? word_of(ctx, stack, CONVENTION_GO, true, n, out)
				 : word_of(ctx, stack, CONVENTION_GO, false, n, out);
	return is_return ? word_of(ctx, stack, CONVENTION_C, true, n, out)
			 : word_of(ctx, stack, CONVENTION_C, false, n, out);
}

/* Follows all offsets but the last; *word is where it leads from then on. */
always_inline bool follow(const volatile struct carry_operand *o, __u64 *word)
{
#pragma clang loop unroll(full)
	for (__u32 i = 0; i < CARRY_MAX_OFFSETS; i++) {
		if (i >= o->n_offsets)
			break;
		*word += (__u64)(__s64)o->offsets[i];
		if (i + 1 == o->n_offsets)
			break;
		if (bpf_probe_read_user(word, sizeof(*word), (const void *)*word))
			return false;
	}
	return true;
}

/* Numbers of fewer than 64 bits may have anything above them in a register. */
always_inline __u64 in_order(const volatile struct carry_operand *o, __u64 word)
{
	__u32 unused = 64 - 8 * o->bytes;

	word <<= unused;
	if (o->kind == CARRY_TRUTH)
		return !!word;
	return o->is_signed ? (__u64)((__s64)word >> unused) ^ 1ULL << 63 : word >> unused;
}

/* A number, in order. Not 0: unreadable. */
own_frame int take_number(struct pt_regs *ctx, __u64 stack, enum convention convention,
	const volatile struct carry_operand *o, __u64 *out)
{
	__u64 word = 0, address;

	if (!read_word(ctx, stack, convention, o->is_return, o->number, &word) || !follow(o, &word))
		return 1;
	if (o->n_offsets) {
		address = word;
		word = 0;
		if (bpf_probe_read_user(&word, o->bytes, (const void *)address))
			return 1;
	}
	*out = in_order(o, word);
	return 0;
}

/* Reads a text to behind its size, which words begin with; the rest of them is zero. Not 0:
 * unreadable. */
own_frame int take_text(struct pt_regs *ctx, __u64 stack, enum convention convention,
	const volatile struct carry_operand *o, __u64 *words)
{
	__u64 address = 0;
	__s64 n;

	if (!read_word(ctx, stack, convention, o->is_return, o->number, &address) ||
		!follow(o, &address))
		return 1;
	if (o->n_offsets && bpf_probe_read_user(&address, sizeof(address), (const void *)address))
		return 1;
	n = bpf_probe_read_user_str(words + 1, o->text_bytes + 1, (const void *)address);
	if (n < 0)
		return 1;
	words[0] = (__u64)n - 1;
	return 0;
}

/* Go's: the size is in the word behind the address. */
own_frame int take_go_text(struct pt_regs *ctx, __u64 stack, enum convention convention,
	const volatile struct carry_operand *o, __u64 *words)
{
	__u64 text[2];

	if (!read_word(ctx, stack, convention, o->is_return, o->number, &text[0]) ||
		!follow(o, &text[0]))
		return 1;
	if (o->n_offsets
			? bpf_probe_read_user(text, sizeof(text), (const void *)text[0])
			: !read_word(ctx, stack, convention, o->is_return, o->number + 1, &text[1]))
		return 1;
	if (text[1] > o->text_bytes)
		text[1] = o->text_bytes;
	if (text[1] > CARRY_MAX_TEXT)
		return 1;
	words[0] = text[1];
	return text[1] && bpf_probe_read_user(words + 1, (__u32)text[1], (const void *)text[0]);
}
