// SPDX-License-Identifier: Apache-2.0
/*
 * Where Go's code begins. The tables' addresses are relative to runtime.text, which is neither
 * .text's address in a program with C in it, nor (since Go 1.26) written in the tables' header.
 * It stands in moduledata, a structure in writable data whose first word points to the header; in
 * files that can be loaded anywhere that is a relocation.
 *
 * What the structure says otherwise has to agree with the header, in all that Go's own runtime
 * checks when the program starts, and the functions' code has to be in an executable segment. No
 * other road leads to the beginning of the code: where there is no such structure, none is guessed.
 */
#include "elf/go_table.h"
#include "elf/relocation.h"

#include <errno.h>
#include <string.h>

/* Words of moduledata; those that have come later follow them. */
enum {
	HEADER = 0,
	NAMES = 1,
	VALUES = 10,
	RECORDS = 13, /* with the list in front */
	RECORDS_SIZE = 14,
	LIST = 16,
	LIST_LENGTH = 17,
	MIN_PC = 20,
	MAX_PC = 21,
	TEXT = 22,
	TEXT_END = 23,
	N_WORDS = 44,
	MOST_TRIES = 64,
};

struct search {
	const struct elf_file *file;
	const struct go_headers *headers;
	uint64_t lowest, highest; /* of the headers' addresses */
	struct go_module *found;
	size_t which;
	size_t n_tries;
};

static bool agrees(const uint64_t *words, const struct go_header *h)
{
	return words[HEADER] == h->address && words[NAMES] == h->address + h->names &&
	       words[VALUES] == h->address + h->values &&
	       words[RECORDS] == h->address + h->functions && words[LIST] == words[RECORDS] &&
	       words[LIST_LENGTH] == h->n_functions + 1 && words[RECORDS_SIZE] <= INT64_MAX;
}

/* The address that the list has at that position, which may be the one behind the last. */
static int list_address(const struct elf_file *f, const struct go_header *h, uint64_t text,
	uint64_t i, uint64_t *out)
{
	uint64_t size = h->layout->address_size, address = 0;
	int r = elf_file_read_address(f, h->address + h->functions + 2 * size * i, &address, size);

	*out = address + (size == 4 ? text : 0);
	return r;
}

/* As the runtime's moduledataverify1() does. */
static bool fits_list(const uint64_t *words, const struct elf_file *f, const struct go_header *h)
{
	uint64_t first, end, offset;

	return !list_address(f, h, words[TEXT], 0, &first) &&
	       !list_address(f, h, words[TEXT], h->n_functions, &end) && first == words[MIN_PC] &&
	       end == words[MAX_PC] && words[TEXT] <= first && first < end &&
	       end <= words[TEXT_END] && elf_file_find_code(f, first, end - first, &offset);
}

static int try_place(struct search *s, uint64_t address, uint64_t points_to)
{
	uint64_t words[N_WORDS];

	for (size_t i = 0; i < s->headers->n; i++) {
		const struct go_header *h = &s->headers->items[i];

		if (h->address != points_to)
			continue;
		if (s->n_tries++ == MOST_TRIES)
			return -ENOENT;
		if (relocation_read(s->file, address, words, N_WORDS) || !agrees(words, h) ||
			!fits_list(words, s->file, h))
			continue;
		*s->found = (struct go_module){
			.address = address,
			.text = h->layout->address_size == 4 ? words[TEXT] : 0,
			.first = words[MIN_PC],
			.end = words[MAX_PC],
			.size = h->functions + words[RECORDS_SIZE],
			.inlined = {words[h->layout->inlined[0]], words[h->layout->inlined[1]]},
		};
		s->which = i;
		return 1;
	}
	return 0;
}

static int look_at_word(uint64_t address, uint64_t value, void *data)
{
	struct search *s = data;

	if (value < s->lowest || value > s->highest)
		return 0;
	return try_place(s, address, value);
}

int go_module_find(struct go_module *out, size_t *which, const struct elf_file *f,
	const struct go_headers *headers)
{
	struct search s = {.file = f, .headers = headers, .found = out, .lowest = UINT64_MAX};
	int r;

	for (size_t i = 0; i < headers->n; i++) {
		uint64_t address = headers->items[i].address;

		s.lowest = address < s.lowest ? address : s.lowest;
		s.highest = address > s.highest ? address : s.highest;
	}
	r = segment_each_word(f, PF_W, look_at_word, &s);
	if (!r)
		r = relocation_each(f, look_at_word, &s);
	if (r <= 0)
		return -ENOENT;
	*which = s.which;
	return 0;
}
