// SPDX-License-Identifier: Apache-2.0
/*
 * The last check of Go's tables, against the code. Where a function makes room on its stack the
 * tables say after which instruction, and how much: that instruction has to be there. With a wrong
 * beginning of the code nothing would fit; a few hundred functions, from all over the program,
 * are looked at, and each must.
 */
#include "elf/go_table.h"

#include <string.h>

enum { LOOKED_AT = 256, LONGEST = 7 };

/* end: behind the instruction; n bytes of the function are in front of it. */
static bool x86_moves(const uint8_t *end, size_t n, int32_t depth)
{
	static const uint8_t sub[] = {0x48, 0x83, 0xec}, add[] = {0x48, 0x83, 0xc4},
			     sub_long[] = {0x48, 0x81, 0xec};
	int32_t number;

	if (depth == 8 && n >= 1 && ((end[-1] & 0xf8) == 0x50 || end[-1] == 0x9c))
		return true; /* push, pushf */
	if (n >= 4 && !memcmp(end - 4, sub, 3))
		return (int8_t)end[-1] == depth;
	if (n >= 4 && !memcmp(end - 4, add, 3))
		return -(int8_t)end[-1] == depth;
	if (n < 7 || memcmp(end - 7, sub_long, 3))
		return false;
	memcpy(&number, end - 4, sizeof(number));
	return number == depth;
}

static bool arm64_moves(const uint8_t *end, size_t n, int32_t depth)
{
	uint32_t word;

	if (n < sizeof(word))
		return false;
	memcpy(&word, end - sizeof(word), sizeof(word));
	/* str x30, [sp, #-depth]! */
	if ((word & 0xfff00fff) == 0xf8100ffe)
		return (int32_t)(0x200 - (word >> 12 & 0x1ff)) == depth;
	/* sub sp, sp, #depth */
	if ((word & 0xffc003ff) == 0xd10003ff)
		return (int32_t)(word >> 10 & 0xfff) == depth;
	/* mov sp, register, which was computed before */
	return (word & 0xfffffc1f) == 0x9100001f;
}

static bool moves(const struct go_table *t, uint64_t begin, uint64_t end, int32_t depth)
{
	uint8_t bytes[LONGEST];
	size_t n = end - begin < LONGEST ? end - begin : LONGEST;

	if (elf_file_read_address(t->file, end - n, bytes, n))
		return false;
	return elf_file_machine(t->file) == ELF_MACHINE_ARM64 ? arm64_moves(bytes + n, n, depth)
							      : x86_moves(bytes + n, n, depth);
}

enum fit { NOTHING_TO_SEE, FITS, FITS_NOT };

/* Of a function: whether the first instruction that makes room does as the tables say. */
static enum fit look(const struct go_table *t, size_t i)
{
	struct go_function function;
	struct go_values depths;

	go_table_get(t, i, &function);
	if (!function.size || function.is_assembly)
		return NOTHING_TO_SEE;
	depths = go_stack_depths(t, &function);
	while (go_values_next(&depths) && depths.value == 0)
		;
	if (depths.is_broken || depths.value < -1)
		return FITS_NOT;
	if (depths.value <= 0)
		return NOTHING_TO_SEE;
	return moves(t, function.address, depths.from, depths.value) ? FITS : FITS_NOT;
}

bool go_table_fits_code(const struct go_table *t)
{
	size_t step = t->header.n_functions / LOOKED_AT + 1, n_fit = 0;

	for (size_t i = 0; i < t->header.n_functions; i += step) {
		enum fit fit = look(t, i);

		if (fit == FITS_NOT)
			return false;
		n_fit += fit == FITS;
	}
	return n_fit;
}
