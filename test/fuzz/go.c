// SPDX-License-Identifier: Apache-2.0
/*
 * Go's tables, taken for true wherever they can be: the input is a table, put into a program whose
 * moduledata agrees with whatever the table's header says, so that what is behind that check is
 * reached. Every function that is found has a name that ends, and lies in the code.
 */
#include <stdlib.h>

#include "test/unit/go_image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int look_at_function(const struct go_function *f, void *data)
{
	const struct go_table *t = data;

	if (f->address < IMAGE_CODE || f->size > IMAGE_CODE_SIZE ||
		f->address - IMAGE_CODE > IMAGE_CODE_SIZE - f->size || strlen(f->name) > GO_SIZE)
		abort();
	for (uint64_t i = 0; i < f->size; i++)
		go_table_stack_depth(t, f, f->address + i);
	return 0;
}

static int look_at_call(const char *callee, const struct go_function *caller, void *data)
{
	(void)caller;
	(void)data;
	if (strlen(callee) > GO_SIZE)
		abort();
	return 0;
}

static int look_at_symbol(const struct elf_symbol *s, void *data)
{
	uint8_t byte;

	return elf_file_read(data, s->offset + s->size - 1, &byte, 1);
}

static uint64_t at(const struct go_image *g, size_t offset, size_t size)
{
	uint64_t value = 0;

	memcpy(&value, g->table + offset, size);
	return value;
}

/* Lets moduledata say what the table does. */
static void agree(struct go_image *g)
{
	uint64_t list = at(g, GO_PARTS + 32, 8), n = at(g, GO_COUNT, 8);
	bool has_list = list < GO_SIZE && n < (GO_SIZE - list) / 8;

	g->module[1] = GO_DATA + at(g, GO_PARTS, 8);
	g->module[10] = GO_DATA + at(g, GO_PARTS + 24, 8);
	g->module[13] = g->module[16] = GO_DATA + list;
	g->module[14] = GO_SIZE - list;
	g->module[17] = n + 1;
	if (!has_list)
		return;
	g->module[GO_MIN] = IMAGE_CODE + at(g, list, 4);
	g->module[GO_MAX] = g->module[GO_TEXT_END] = IMAGE_CODE + at(g, list + 8 * n, 4);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(go_image_deinit) struct go_image g = go_image_new();
	_cleanup_(go_opened_deinit) struct go_opened o = {};
	_cleanup_(error_deinit) struct error e = {};

	memcpy(g.table, data, size < GO_SIZE ? size : GO_SIZE);
	agree(&g);
	o = go_image_open(&g);
	if (!o.table)
		return 0;
	go_table_each(o.table, look_at_function, (void *)o.table);
	go_table_each_inlined(o.table, look_at_call, NULL);
	if (elf_file_each_symbol(o.file, look_at_symbol, o.file, &e))
		abort();
	return 0;
}
