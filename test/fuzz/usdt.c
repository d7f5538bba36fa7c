// SPDX-License-Identifier: Apache-2.0
/* Any bytes as an ELF file whose USDT points are read; what is told of them lies within it. */
#include <stdlib.h>
#include <string.h>

#include "elf/usdt.h"
#include "input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct walk {
	struct elf_file *file;
	size_t size, n_points;
};

static int look_at_point(const struct elf_point *p, void *data)
{
	struct walk *w = data;
	uint64_t offset;

	if (!strchr(p->name, ':') || strlen(p->arguments) > w->size || ++w->n_points > w->size)
		abort();
	if (!elf_file_find_semaphore(w->file, p->semaphore, &offset) &&
		(offset >= w->size || w->size - offset < 2))
		abort();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(error_deinit) struct error e = {};
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	struct walk w = {.size = size};

	if (elf_file_open(&f, input_file(data, size), &e))
		return 0;
	w.file = f;
	elf_file_each_point(f, look_at_point, &w, &e);
	return 0;
}
