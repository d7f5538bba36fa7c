/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a probe takes from its calls, as the kernel's side is told: user space makes a
 * `struct carry` of the probe's configuration (src/plan/carry.c) and sets it before load.
 *
 * Label sets. The dynamic labels of a call are a key of words: a header, then for each label a
 * number's one word, or of text the number of its bytes and the bytes, filled up with zeros to
 * whole words. Equal sets have equal keys. `scope` is the slot that the keys extend: that in the
 * site's cookie; for the labels that are known at the return alone, that of the labels known at
 * the entry. Each key has a slot of its own, found through one hash; where none is left, calls
 * count in the slot of the cookie.
 *
 * Numbers compare in order (see operand_order in src/config/config.h).
 */
#pragma once

#include <linux/types.h>

enum {
	CARRY_MAX_OFFSETS = 4,
	CARRY_MAX_LABELS = 8,
	CARRY_MAX_VALUES = 4,
	CARRY_MAX_CARRIED = 2,
	CARRY_MAX_STARTS = 256,
	CARRY_MAX_PARTS = CARRY_MAX_STARTS + CARRY_MAX_LABELS,
	CARRY_MAX_BOUNDS = 256,
	CARRY_MAX_TEXT = 128, /* bytes */
	KEY_HEADER_WORDS = 2,
	KEY_MAX_WORDS = 64, /* with the header */
};

/* What the word of a label in a key is. */
enum key_tag {
	KEY_ABSENT, /* nothing yet: the label is known at the return alone */
	KEY_NUMBER, /* in order */
	KEY_PART,   /* of the partition */
	KEY_TEXT,
	KEY_UNREADABLE,
};

struct label_key {
	__u32 scope;
	__u32 padding;
	__u8 tags[CARRY_MAX_LABELS]; /* enum key_tag */
	__u64 words[KEY_MAX_WORDS - KEY_HEADER_WORDS];
};

enum carry_kind {
	CARRY_NOTHING,
	CARRY_NUMBER,
	CARRY_TRUTH,   /* a number that is 0 or 1: not 0 */
	CARRY_TEXT,    /* ended by a NUL */
	CARRY_GO_TEXT, /* address and size */
	CARRY_PID,
	CARRY_COMM,
	CARRY_EXE,    /* device and inode number */
	CARRY_CGROUP, /* its id */
};

struct carry_operand {
	__u8 kind;
	__u8 is_return;
	__u8 number; /* argument or result, from 1 */
	__u8 n_offsets;
	__u8 bytes; /* of a number */
	__u8 is_signed;
	__u16 text_bytes; /* kept of a text */
	__s32 offsets[CARRY_MAX_OFFSETS];
};

#define CARRY_RAW 0xffff /* in parts: a number that stands for itself */

struct carry_label {
	struct carry_operand operand;
	__u16 word;                  /* where it is in the key's words */
	__u16 first_start, n_starts; /* in carry.starts */
	__u16 first_part;            /* in carry.parts; CARRY_RAW: each number stands for itself */
};

struct carry_condition {
	struct carry_operand operand;
	__u64 low, high;
	__u8 is_outside;
	__u8 padding[7];
};

struct carry_value {
	struct carry_operand operand;
	struct carry_condition only; /* of kind CARRY_NOTHING: always */
	__u16 word;                  /* of the cell: the sum; and behind it the buckets */
	__u16 first_bound, n_bounds; /* in carry.bounds */
	__u16 n_buckets;             /* as of durations, see calls.h */
	__u8 is_counter;
	__u8 is_late; /* added when the call returns */
	__u8 carried; /* where the number waits for the return, from 1; 0: it needn't */
	__u8 native;  /* enum native_kind */
	__u8 padding[4];
};

struct carry {
	__u32 is_used; /* there is anything to take; else none of this is looked at */
	__u32 n_labels, n_values;
	__u32 key_bytes; /* whole words; 0: no dynamic labels */
	__u32 is_late;   /* a label or `only` is known at the return alone */
	__u32 has_entry_labels, has_return_labels; /* known when the call begins, or returns */
	__u32 errors_word;                         /* of the cell; 0: no errors */
	__u32 begun_word; /* of the cell, where is_late: calls begun, and behind it ended; else 0 */
	__u32 is_point;   /* calls are passes of USDT points, or begin and end there */
	__u32 hits_word;  /* of the cell of the slot in the cookie: calls met, rejected ones too */
	__u32 padding;
	struct carry_label labels[CARRY_MAX_LABELS];
	struct carry_condition only, errors;
	struct carry_value values[CARRY_MAX_VALUES];
	__u64 starts[CARRY_MAX_STARTS];
	__u16 parts[CARRY_MAX_PARTS]; /* the first part with the same text, or CARRY_RAW */
	__u64 bounds[CARRY_MAX_BOUNDS];
};

_Static_assert(sizeof(struct label_key) == 8 * KEY_MAX_WORDS, "label_key");
_Static_assert(sizeof(struct carry_operand) == 24, "carry_operand");
_Static_assert(sizeof(struct carry_label) == 32, "carry_label");
_Static_assert(sizeof(struct carry_condition) == 48, "carry_condition");
_Static_assert(sizeof(struct carry_value) == 88, "carry_value");
