// SPDX-License-Identifier: Apache-2.0
/*
 * Whether a file is the one that was split off a program, and not that of its last version or next.
 *
 * Both have the same build-id. Of a program without one, its debuglink's checksum must be that of
 * the whole file. And the code must lie where it did: some tools move it about in the program
 * long after both were made, and leave its build-id as it was.
 */
#include "elf/debug.h"

#include <errno.h>
#include <lzma.h>
#include <string.h>

#include "base/memory.h"
#include "elf/inlined.h"
#include "elf/layout.h"

enum { PIECE = 64 << 10, LARGEST_SUMMED_BYTES = 256 << 20 };

/* CRC-32, as xz has it too. */
static int checksum(const struct elf_file *f, uint32_t *out)
{
	_cleanup_(freep) uint8_t *piece = memory_alloc(PIECE);
	uint32_t sum = 0;

	if (f->size_bytes > LARGEST_SUMMED_BYTES)
		return -EFBIG;
	for (uint64_t at = 0; at < f->size_bytes; at += PIECE) {
		size_t n = f->size_bytes - at < PIECE ? f->size_bytes - at : PIECE;
		int r = elf_file_read(f, at, piece, n);

		if (r)
			return r;
		sum = lzma_crc32(piece, n, sum);
	}
	*out = sum;
	return 0;
}

static int check_sum(const struct elf_file *f, const struct elf_file *debug, struct error *e)
{
	struct elf_debuglink link;
	uint32_t sum;
	int r;

	if (!elf_file_debuglink(f, &link))
		return error_set(e, -ESTALE,
			"the file itself says nothing that it could be "
			"checked by");
	r = checksum(debug, &sum);
	if (r)
		return error_set_errno(e, r, "adding up its checksum");
	return sum == link.checksum ? 0
				    : error_set(e, -ESTALE,
					      "it belongs to another build (its "
					      "checksum differs)");
}

static int check_build(const struct elf_file *f, const struct elf_file *debug, struct error *e)
{
	struct elf_build_id own, other;

	if (!elf_file_build_id(f, &own))
		return check_sum(f, debug, e);
	if (!elf_file_build_id(debug, &other))
		return error_set(e, -ESTALE, "it has no build-id, and the file has one");
	if (own.n != other.n || memcmp(own.bytes, other.bytes, own.n) != 0)
		return error_set(e, -ESTALE, "it belongs to another build (its build-id differs)");
	return 0;
}

static bool has_code_at(const struct elf_file *f, uint64_t address)
{
	for (size_t i = 0; i < f->n_segments; i++)
		if (f->segments[i].p_type == PT_LOAD && f->segments[i].p_flags & PF_X &&
			f->segments[i].p_vaddr == address)
			return true;
	return false;
}

static int check_code(const struct elf_file *f, const struct elf_file *debug, struct error *e)
{
	for (size_t i = 0; i < f->n_segments; i++)
		if (f->segments[i].p_type == PT_LOAD && f->segments[i].p_flags & PF_X &&
			!has_code_at(debug, f->segments[i].p_vaddr))
			return error_set(e, -ESTALE,
				"its code lay elsewhere: the file was changed after it was built");
	return 0;
}

bool elf_file_wants_debug_file(const struct elf_file *f)
{
	return !section_find(f, SHT_SYMTAB) || !elf_file_has_dwarf(f);
}

int elf_file_add_debug_file(struct elf_file *f, int fd, const char *origin, struct error *e)
{
	_cleanup_(elf_file_freep) struct elf_file *debug = NULL;
	int r = file_open_beside(&debug, fd, origin, e);

	if (!r)
		r = check_build(f, debug, e);
	if (!r)
		r = check_code(f, debug, e);
	if (r)
		return error_wrap(e, r, "the debug file %s is not used", origin);
	elf_file_free(f->debug);
	f->debug = TAKE_PTR(debug);
	return 0;
}
