// SPDX-License-Identifier: Apache-2.0
/*
 * A mode is not believed to work because a kernel version says so: versions are patched and
 * backported. It works when a function that was called CALLS times shows CALLS calls and CALLS
 * durations. Another exporter that starts at the same moment calls the same function of the same
 * file: only this process's calls are looked at.
 */
#include "trace/selftest.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <unistd.h>

#include "trace/kernel.h"

enum { CALLS = 3 };

/* The function that is probed. Not inlined, not merged with another, and seen by no compiler as
 * one whose calls could be left out. */
static __attribute__((noinline)) int canary(int x)
{
	__asm__ volatile("" : "+r"(x));
	return x;
}

struct place {
	uintptr_t address;
	uint64_t offset;
};

/* The file offset of an address of the program itself: its segments, as they are loaded. */
static int find_offset(struct dl_phdr_info *info, size_t size, void *data)
{
	struct place *place = data;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + h->p_vaddr;

		if (h->p_type == PT_LOAD && place->address >= start &&
			place->address - start < h->p_filesz) {
			place->offset = place->address - start + h->p_offset;
			return 1;
		}
	}
	return 0;
}

uint64_t selftest_own_offset(const void *address)
{
	struct place place = {.address = (uintptr_t)address};

	dl_iterate_phdr(find_offset, &place);
	return place.offset;
}

static uint64_t total(const struct bank *b, unsigned first, unsigned last)
{
	uint64_t sum = 0;

	for (uint32_t shard = 0; shard < b->n_shards; shard++)
		for (unsigned i = first; i <= last; i++)
			sum += bank_cell(b, b->base_slot, shard)[i];
	return sum;
}

int selftest_compare(const struct bank *b, unsigned n, struct error *e)
{
	uint64_t calls = total(b, CELL_CALLS, CELL_CALLS);
	uint64_t returns = total(b, CELL_BUCKETS, CELL_BUCKETS + (unsigned)b->n_bounds);

	if (calls == n && returns == n)
		return 0;
	return error_set(e, -EOPNOTSUPP,
		"a function called %u times showed %lu calls and %lu returns", n, calls, returns);
}

int selftest_mode(struct shared *shared, enum attach_mode mode, struct error *e)
{
	_cleanup_(bank_freep) struct bank *bank = NULL;
	uint64_t bound = 1000000, cookie, offset = selftest_own_offset(canary);
	const struct link_places place = {
		.offsets = &offset, .cookies = &cookie, .n = 1, .only_in = getpid()};
	struct bounds bounds = {&bound, 1};
	struct link_set links = {};
	int r = bank_new_plain(&bank, shared, mode, &bounds, 0, 1, e);

	if (r)
		return r;
	if (!offset)
		return error_set(e, -ENOENT, "the exporter can't find its own code");
	cookie = bank->base_slot;
	r = link_attach(&links, &bank->programs, "/proc/self/exe", &place, e);
	if (r)
		return r;
	for (int i = 0; i < CALLS; i++)
		canary(i);
	link_detach(&links, NULL);
	return selftest_compare(bank, CALLS, e);
}
