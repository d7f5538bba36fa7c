// SPDX-License-Identifier: Apache-2.0
/*
 * Where Go's tables begin. A section names the place, unless sections were taken off or the linker
 * has put it into another one; then the segments are searched for the magic number.
 *
 * A program can carry other programs as data (the go command's own tools do, and whatever embeds a
 * file), so that more than one may be found. All that looks like a header is collected; which one
 * is the program's own, moduledata tells.
 */
#include "elf/go_table.h"
#include "elf/layout.h"

#include <errno.h>

enum { WORDS_LARGEST = 8, MOST_FUNCTIONS = 1 << 24 }; /* words of a header */
static const uint32_t old_magic = 0xfffffffb;         /* Go 1.2 to 1.15 */

static const struct go_layout layouts[] = {
	/* Go 1.16 and 1.17 */
	{.magic = 0xfffffffa, .names = 2, .address_size = 8, .id = 40, .record_size = 44},
	/* 1.18, 1.19 */
	{.magic = 0xfffffff0,
		.names = 3,
		.address_size = 4,
		.id = 36,
		.record_size = 40,
		.inlined = {38},
		.call_size = 20,
		.callee = 12,
		.call_at = 16},
	/* 1.20 and later; 1.27 has moved a word */
	{.magic = 0xfffffff1,
		.names = 3,
		.address_size = 4,
		.id = 40,
		.record_size = 44,
		.inlined = {40, 43},
		.call_size = 16,
		.callee = 4,
		.call_at = 8},
};

static const struct go_layout *find_layout(uint32_t magic)
{
	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++)
		if (layouts[i].magic == magic)
			return &layouts[i];
	return NULL;
}

/* The upper half of the first word: two zeros, the quantum, the size of a pointer. */
static uint32_t upper_half(const struct elf_file *f)
{
	return 8u << 24 | (elf_file_machine(f) == ELF_MACHINE_ARM64 ? 4u : 1u) << 16;
}

static bool is_in_order(const struct go_header *h)
{
	return h->n_functions && h->n_functions <= MOST_FUNCTIONS && h->names < h->files &&
	       h->files <= h->values && h->values <= h->functions && h->functions <= INT64_MAX;
}

int go_header_read(struct go_header *out, const struct elf_file *f, uint64_t address)
{
	uint64_t words[1 + WORDS_LARGEST];
	const struct go_layout *layout;
	const uint64_t *parts;

	if (elf_file_read_address(f, address, words, sizeof(words)) ||
		words[0] >> 32 != upper_half(f))
		return -EINVAL;
	if ((uint32_t)words[0] == old_magic)
		return -ENOTSUP;
	layout = find_layout((uint32_t)words[0]);
	if (!layout)
		return -EINVAL;
	parts = words + 1 + layout->names;
	*out = (struct go_header){
		.layout = layout,
		.address = address,
		.n_functions = words[1],
		.names = parts[0],
		.files = parts[1],
		.values = parts[3],
		.functions = parts[4],
		.quantum = (uint8_t)(words[0] >> 48),
	};
	return is_in_order(out) ? 0 : -EINVAL;
}

/* 1: there is no room for more. */
static int add(struct go_headers *h, const struct elf_file *f, uint64_t address)
{
	int r;

	if (h->n == GO_MOST_HEADERS)
		return 1;
	r = go_header_read(&h->items[h->n], f, address);
	h->n += !r;
	h->has_old |= r == -ENOTSUP;
	return 0;
}

void go_headers_by_section(struct go_headers *h, const struct elf_file *f)
{
	static const char *const names[] = {".gopclntab", ".data.rel.ro.gopclntab"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const Elf64_Shdr *s = section_find_named(f, names[i]);

		if (s)
			add(h, f, s->sh_addr);
	}
}

struct search {
	const struct elf_file *file;
	struct go_headers *headers;
	uint32_t upper_half;
};

static int look_at_word(uint64_t address, uint64_t word, void *data)
{
	const struct search *s = data;

	return word >> 32 == s->upper_half ? add(s->headers, s->file, address) : 0;
}

int go_headers_by_search(struct go_headers *h, const struct elf_file *f)
{
	struct search s = {.file = f, .headers = h, .upper_half = upper_half(f)};

	int r = segment_each_word(f, 0, look_at_word, &s);

	return r < 0 ? r : 0;
}
