/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Label sets and their slots. A key that nobody has met takes a number out of those that are free,
 * writes itself into the directory, from which user space reads label sets without a system call,
 * and only then enters the hash, where others find it. Who comes second gives its number back.
 *
 * Where none is free, or the exporter as a whole has as many as it may, calls count in the slot of
 * the cookie.
 */
#pragma once

#include "bpf/cells.bpf.h"
#include "bpf/left.bpf.h"
#include "bpf/operand.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(struct label_key)); /* these two are set before load */
	__uint(value_size, sizeof(__u32));          /* a slot */
} series SEC(".maps");

/* Slots that no key has. */
struct {
	__uint(type, BPF_MAP_TYPE_QUEUE);
	__uint(max_entries, 1); /* set before load */
	__uint(value_size, sizeof(__u32));
} free_series SEC(".maps");

/* By slot: whether it is taken (1 or 0), and the key. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(key_size, sizeof(__u32));
	__uint(value_size,
		8 + sizeof(struct label_key)); /* this and the next are set before load */
	__uint(max_entries, 1);
} directory SEC(".maps");

always_inline void directory_set(__u32 index, const struct label_key *key)
{
	__u64 *entry = bpf_map_lookup_elem(&directory, &index);
	const __u64 *words = (const __u64 *)key;

	if (!entry)
		return;
#pragma clang loop unroll(full)
	for (__u32 i = 0; i < KEY_MAX_WORDS; i++) {
		if (i >= carry.key_bytes / sizeof(__u64))
			break;
		entry[1 + i] = words[i];
	}
	__sync_lock_test_and_set(&entry[0], 1);
}

always_inline void directory_clear(__u32 index)
{
	__u64 *entry = bpf_map_lookup_elem(&directory, &index);

	if (entry)
		__sync_lock_test_and_set(&entry[0], 0);
}

/* The slot of a key that had none; or of the cookie, which is `rest`. */
always_inline __u32 series_new(const struct label_key *key, __u32 rest)
{
	__u32 number, *found;

	if (bpf_map_pop_elem(&free_series, &number))
		return rest;
	if (!left_take()) {
		bpf_map_push_elem(&free_series, &number, 0);
		return rest;
	}
	directory_set(number - shape.first_dynamic, key);
	if (!bpf_map_update_elem(&series, key, &number, BPF_NOEXIST))
		return number;
	directory_clear(number - shape.first_dynamic);
	bpf_map_push_elem(&free_series, &number, 0);
	left_give();
	found = bpf_map_lookup_elem(&series, key);
	return found ? *found : rest;
}

own_frame __u32 series_find(struct label_key *key, __u32 rest)
{
	__u32 *found = bpf_map_lookup_elem(&series, key);

	return found ? *found : series_new(key, rest);
}
