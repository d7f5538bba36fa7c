// SPDX-License-Identifier: Apache-2.0
/*
 * Does an x86-64 function branch back to its first byte?
 *
 * Decoding every function that a pattern selects would cost more than attaching to it. Nearly
 * none has even the bytes of such a branch, an opcode in front of just the right distance, so
 * it is enough to look for those at every byte. Where the distance has 32 bits, finding it by
 * chance is as good as impossible. Where it has 8, chance does strike, but only within the first
 * 128 bytes: these are decoded, to see whether an instruction begins there.
 */
#include "code/machine.h"

#include <string.h>

/* Whether an instruction's opcode stands at position: nothing but prefixes comes before. What is
 * no instruction counts as one of a byte, so that the decoding finds its feet again. */
static bool is_opcode(const uint8_t *bytes, size_t n, size_t position)
{
	size_t start = 0, end = 0;

	while (end <= position) {
		size_t size = x86_instruction_size(bytes + end, n - end, end);

		start = end;
		end += size ? size : 1;
	}
	while (start < position && x86_is_prefix(bytes[start]))
		start++;
	return start == position;
}

static bool short_branch_leads_back(const uint8_t *bytes, size_t n, size_t at)
{
	uint8_t opcode = bytes[at];
	bool is_short = opcode == 0xeb || (opcode & 0xf0) == 0x70 || (opcode & 0xfc) == 0xe0;

	return is_short && (int8_t)bytes[at + 1] == -(int64_t)(at + 2) && is_opcode(bytes, n, at);
}

static bool near_branch_leads_back(const uint8_t *bytes, size_t n, size_t at)
{
	size_t opcode_size = bytes[at] == 0xe9 ? 1 : 2;
	int32_t distance;

	if (bytes[at] != 0xe9 && (bytes[at] != 0x0f || (bytes[at + 1] & 0xf0) != 0x80))
		return false;
	if (n - at < opcode_size + sizeof(distance))
		return false;
	memcpy(&distance, bytes + at + opcode_size, sizeof(distance));
	return distance == -(int64_t)(at + opcode_size + sizeof(distance));
}

bool x86_returns_to_start(const uint8_t *bytes, size_t n)
{
	for (size_t at = 0; at + 1 < n; at++) {
		if (short_branch_leads_back(bytes, n, at) || near_branch_leads_back(bytes, n, at))
			return true;
	}
	return false;
}
