// SPDX-License-Identifier: Apache-2.0
/*
 * .gnu_debugdata: the symbol table of a program, as an ELF file of its own, compressed with xz and
 * put back into the program when it was stripped. Fedora does so, so that stacks can be told
 * without debug files.
 *
 * A reader unpacks it, into memory that is sealed afterwards; then it is one more file that
 * was made beside the program.
 */
#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "elf/debug.h"
#include "elf/layout.h"
#include "elf/reader.h"

enum {
	PIECE = 64 << 10,
	MOST_MEMORY = 128 << 20, /* xz -9 takes 65 MiB to unpack */
	MOST_UNPACKED = 64 << 20,
	MOST_SECONDS = 5,
	PACKED_FD = READER_FIRST_FD,
	UNPACKED_FD,
};

static const char name[] = ".gnu_debugdata";

/* ---- in the reader ---- */

struct unpacking {
	lzma_stream stream;
	uint8_t in[PIECE], out[PIECE];
	uint64_t offset, left; /* of what is packed */
};

static bool fill(struct unpacking *u)
{
	size_t wanted = u->left < PIECE ? u->left : PIECE;
	ssize_t n = pread(PACKED_FD, u->in, wanted, (off_t)u->offset);

	if (n < 0 || (size_t)n < wanted)
		return false;
	u->offset += wanted;
	u->left -= wanted;
	u->stream.next_in = u->in;
	u->stream.avail_in = wanted;
	return true;
}

/* One step. LZMA_OK: there is more. */
static lzma_ret step(struct unpacking *u)
{
	lzma_ret r;

	if (!u->stream.avail_in && u->left && !fill(u))
		return LZMA_DATA_ERROR;
	u->stream.next_out = u->out;
	u->stream.avail_out = PIECE;
	r = lzma_code(&u->stream, u->left ? LZMA_RUN : LZMA_FINISH);
	reader_put(UNPACKED_FD, u->out, PIECE - u->stream.avail_out);
	return r;
}

/* data: the section. */
static int unpack(int out_fd, const void *data)
{
	const Elf64_Shdr *s = data;
	struct unpacking *u = memory_alloc(sizeof(*u));
	lzma_ret r;

	(void)out_fd;
	u->offset = s->sh_offset;
	u->left = s->sh_size;
	r = lzma_stream_decoder(&u->stream, MOST_MEMORY, 0);
	while (r == LZMA_OK)
		r = step(u);
	return r != LZMA_STREAM_END;
}

/* ---- in this process ---- */

static int run_reader(const struct elf_file *f, const Elf64_Shdr *s, int memory_fd, struct error *e)
{
	_cleanup_(reader_freep) struct reader *reader = NULL;
	const struct reader_job job = {
		.work = unpack,
		.data = s,
		.fds = {f->fd, memory_fd},
		.n_fds = 2,
		.most_memory_bytes = MOST_MEMORY + (16 << 20),
		.most_file_bytes = MOST_UNPACKED,
		.most_seconds = MOST_SECONDS,
	};
	int r = reader_start(&reader, &job, e);

	return r ? r : reader_wait(reader, MOST_SECONDS * 1000 + 1000, e);
}

static int load(struct elf_file *f, const Elf64_Shdr *s, struct error *e)
{
	_cleanup_(closep) int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int r;

	if (fd < 0)
		return error_set_errno(e, -errno, "making room for it");
	r = run_reader(f, s, fd, e);
	if (r)
		return r;
	if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE))
		return error_set_errno(e, -errno, "sealing it");
	return file_open_beside(&f->debugdata, TAKE_FD(fd), name, e);
}

void elf_file_unpack_symbols(struct elf_file *f)
{
	_cleanup_(error_deinit) struct error why = {};
	const Elf64_Shdr *s = section_find_named(f, name);

	if (!s || section_find(f, SHT_SYMTAB) || (f->debug && section_find(f->debug, SHT_SYMTAB)))
		return;
	if (load(f, s, &why))
		f->debugdata_trouble =
			memory_printf("its .gnu_debugdata can't be read: %s", error_text(&why));
}

int debugdata_each_symbol(struct elf_file *f, const struct symbol_wish *wish, struct error *e)
{
	const Elf64_Shdr *table = f->debugdata ? section_find(f->debugdata, SHT_SYMTAB) : NULL;
	int r;

	if (f->debugdata_trouble)
		return error_set(e, -EBADMSG, "%s", f->debugdata_trouble);
	if (!table)
		return -ENODATA;
	r = symbol_table_walk(f, f->debugdata, table, wish, e);
	return r < 0 ? error_wrap(e, r, "its %s", name) : r;
}
