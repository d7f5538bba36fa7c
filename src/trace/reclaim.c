// SPDX-License-Identifier: Apache-2.0
/*
 * Takes back the slots of label sets that name a process which has ended, or a control group that
 * is gone: nobody will call with them again, and others need the room.
 *
 * First a set's key leaves the hash, so that no call finds it. A program that found it just before
 * may still be at work: that is waited for, as the kernel waits for readers (membarrier). Then,
 * where no call is under way in the slot, its counts are set to zero and it is free. Where one is,
 * it stays for a later look. Until it is free it is shown as before.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/memory.h"
#include "trace/state.h"

/* A look at one bank. */
struct reclaiming {
	struct trace *t;
	const struct bank *bank;
	const struct trace_gone *gone;
	bool *is_gone; /* by dynamic slot */
};

static int map_fd(const struct bank *b, const char *name)
{
	return bpf_object__find_map_fd_by_name(b->object, name);
}

static bool key_is_gone(const struct reclaiming *r, const struct label_key *key)
{
	const struct carry *c = &r->bank->carry;

	for (size_t i = 0; i < c->n_labels; i++) {
		uint64_t number = key->words[c->labels[i].word];

		if (key->tags[i] != KEY_NUMBER)
			continue;
		if (c->labels[i].operand.kind == CARRY_PID &&
			r->gone->process(number, r->gone->data))
			return true;
		if (c->labels[i].operand.kind == CARRY_CGROUP &&
			r->gone->cgroup(number, r->gone->data))
			return true;
	}
	return false;
}

/* The dynamic slot that a set extends, or the set's own. */
static uint32_t entry_index(const struct bank *b, uint32_t index, const struct label_key *key)
{
	uint32_t first = bank_first_dynamic(b);

	return key->scope >= first && key->scope < b->base_slot + b->n_slots ? key->scope - first
									     : index;
}

/* Takes the keys out of the hash; returns how many sets are gone. */
static size_t forget_keys(struct reclaiming *r)
{
	const struct bank *b = r->bank;
	int series = map_fd(b, "series");
	size_t n = 0;

	for (uint32_t i = 0; i < b->n_dynamic; i++) {
		const struct label_key *key = bank_key(b, bank_first_dynamic(b) + i), *entry;

		if (!key)
			continue;
		entry = bank_key(b, bank_first_dynamic(b) + entry_index(b, i, key));
		if (!entry || !key_is_gone(r, entry))
			continue;
		r->is_gone[i] = true;
		bpf_map_delete_elem(series, key);
		n++;
	}
	return n;
}

/* Whether some call may still end in the slot. */
static bool is_under_way(const struct reclaiming *r, uint32_t slot)
{
	const struct loss *l = shared_loss(r->t->shared, slot);
	const struct bank *b = r->bank;
	uint64_t ended = l->missed + l->abandoned;

	if (!b->is_timed)
		return false;
	if (b->carry.is_late)
		return slot_word(b, slot, b->carry.begun_word) !=
		       ended + slot_word(b, slot, b->carry.begun_word + 1);
	for (size_t i = 0; i < b->n_buckets; i++)
		ended += slot_word(b, slot, CELL_BUCKETS + i);
	return slot_word(b, slot, CELL_CALLS) != ended;
}

/* Whether other sets extend one that is known at the entry. */
static bool is_extended(const struct bank *b, uint32_t slot)
{
	for (uint32_t i = 0; i < b->n_dynamic; i++) {
		const struct label_key *key = bank_key(b, bank_first_dynamic(b) + i);

		if (key && key->scope == slot)
			return true;
	}
	return false;
}

static void free_slot(const struct reclaiming *r, uint32_t index, const void *zeros)
{
	const struct bank *b = r->bank;
	uint32_t slot = bank_first_dynamic(b) + index;
	uint32_t first = (slot - b->base_slot) * b->n_shards;

	bpf_map_update_elem(map_fd(b, "directory"), &index, zeros, BPF_ANY);
	for (uint32_t cell = first; cell < first + b->n_shards; cell++)
		bpf_map_update_elem(map_fd(b, "cells"), &cell, zeros, BPF_ANY);
	*shared_loss(r->t->shared, slot) = (struct loss){.slot = slot};
	bpf_map_update_elem(map_fd(b, "free_series"), NULL, &slot, BPF_ANY);
	shared_allow_series(r->t->shared, 1);
}

/* Those that extend others come first: a slot has none of them when it is free. */
static void free_slots(const struct reclaiming *r)
{
	const struct bank *b = r->bank;
	_cleanup_(freep) void *zeros =
		memory_alloc(b->cell_bytes + sizeof(struct label_key) + sizeof(uint64_t));

	for (int are_entries = 0; are_entries <= 1; are_entries++) {
		for (uint32_t i = 0; i < b->n_dynamic; i++) {
			uint32_t slot = bank_first_dynamic(b) + i;
			const struct label_key *key = r->is_gone[i] ? bank_key(b, slot) : NULL;

			if (!key || (entry_index(b, i, key) == i) != are_entries)
				continue;
			if (are_entries && (is_under_way(r, slot) || is_extended(b, slot)))
				continue;
			free_slot(r, i, zeros);
		}
	}
}

static void reclaim(struct trace *t, const struct bank *b, const struct trace_gone *gone)
{
	_cleanup_(freep) bool *is_gone = memory_alloc(b->n_dynamic * sizeof(*is_gone));
	struct reclaiming r = {t, b, gone, is_gone};

	if (!forget_keys(&r) || syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
		return;
	trace_lock(t);
	free_slots(&r);
	trace_unlock(t);
}

static bool names_identities(const struct bank *b)
{
	for (size_t i = 0; i < b->carry.n_labels; i++)
		if (b->carry.labels[i].operand.kind == CARRY_PID ||
			b->carry.labels[i].operand.kind == CARRY_CGROUP)
			return true;
	return false;
}

void trace_reclaim(struct trace *t, const struct trace_gone *gone)
{
	for (const struct bank *b = t->slots.banks; b; b = b->next)
		if (b->n_dynamic && names_identities(b))
			reclaim(t, b, gone);
}
