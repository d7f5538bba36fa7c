// SPDX-License-Identifier: Apache-2.0
/* Any bytes as an ELF file whose USDT points are read; what is told of them lies within it, and
 * where their arguments are said to be is a place that there is. The bytes are a text of arguments,
 * too. */
#include <stdlib.h>
#include <string.h>

#include "elf/usdt.h"
#include "input.h"
#include "plan/usdt_arguments.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_location(const struct usdt_location *l)
{
	enum { REGISTERS = 32 };

	if (l->kind == USDT_UNKNOWN)
		return;
	if (!l->bytes || l->bytes > 8 || (l->bytes & (l->bytes - 1)) || l->shift > 3 ||
		(l->base >= REGISTERS && l->base != USDT_NO_REGISTER) ||
		(l->index >= REGISTERS && l->index != USDT_NO_REGISTER))
		abort();
}

static void read_arguments(const char *text)
{
	static const enum elf_machine machines[] = {ELF_MACHINE_X86_64, ELF_MACHINE_ARM64};
	struct usdt_place place;

	for (size_t m = 0; m < ARRAY_SIZE(machines); m++) {
		if (usdt_arguments_parse(&place, machines[m], text) > strlen(text))
			abort();
		for (size_t i = 0; i < USDT_MAX_ARGUMENTS; i++)
			check_location(&place.arguments[i]);
	}
}

static void read_as_arguments(const uint8_t *data, size_t size)
{
	_cleanup_(freep) char *text = strndup((const char *)data, size);

	read_arguments(text);
}

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
	read_arguments(p->arguments);
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

	read_as_arguments(data, size);
	if (elf_file_open(&f, input_file(data, size), &e))
		return 0;
	w.file = f;
	elf_file_each_point(f, look_at_point, &w, &e);
	return 0;
}
