/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A Go program by hand: tables of four functions in a writable segment at 0x500000, and moduledata
 * behind them, all open to be spoilt until go_image_write().
 */
#pragma once

#include "elf/go.h"
#include "elf/layout.h"

#include "check.h"
#include "elf_image.h"

#if defined(__aarch64__)
enum { GO_UNIT = 4 }; /* bytes that distances are counted in */
static const uint8_t go_makes_room[] = {0xff, 0x63, 0x00, 0xd1}; /* sub sp, sp, #24 */
#else
enum { GO_UNIT = 1 };
static const uint8_t go_makes_room[] = {0x48, 0x83, 0xec, 0x18}; /* sub $24, %rsp */
#endif

enum {
	GO_DATA = 0x500000,
	/* Offsets in the table. */
	GO_COUNT = 8,
	GO_PARTS = 32, /* in the header */
	GO_NAMES = 72,
	GO_FILES = 200,
	GO_VALUES = 208,
	GO_SPARE = 32, /* in the values: 16 bytes for a test */
	GO_LIST = 256,
	GO_RECORDS = GO_LIST + 40,
	GO_RECORD_SIZE = 72, /* with three tables of values and four lists behind it */
	GO_N = 4,
	GO_CALLS = GO_RECORDS + GO_N * GO_RECORD_SIZE,
	GO_CALL_SIZE = 16,
	GO_SIZE = GO_CALLS + 2 * GO_CALL_SIZE,
	/* In a record. */
	GO_NAME = 4,
	GO_DEPTHS = 16,
	GO_N_VALUES = 28,
	GO_ID = 40,
	GO_FLAGS = 41,
	GO_N_LISTS = 43,
	GO_CALL_INDICES = 44 + 2 * 4,
	GO_CALL_LIST = 44 + 3 * 4 + 3 * 4,
	/* In an inlined call. */
	GO_CALLEE = 4,
	GO_CALL_AT = 8,
	/* Words of moduledata. */
	GO_MIN = 20,
	GO_MAX = 21,
	GO_TEXT = 22,
	GO_TEXT_END = 23,
	GO_INLINED = 40,
	GO_INLINED_LATER = 43, /* since Go 1.27 */
	GO_WORDS = 48,
	GO_WRAPPER = 22, /* an id */
	GO_ASSEMBLY = 4, /* flags */
	GO_TOP = 1,
};

static const struct {
	const char *name;
	uint8_t begin, depths; /* in units; where their table is */
	uint8_t id, flags;
} go_functions[GO_N] = {
	{"main.first", 0, 1, 0, 0},
	{"main.(*T).second", 32, 1, 0, GO_TOP},
	{"main.sum", 64, 9, GO_WRAPPER, 0},
	{"main.sum", 72, 9, 0, GO_ASSEMBLY},
};
enum { GO_END = 80 }; /* of the code, in units */

/* 0 for 8 units, 24 for 16, 0 for 4; 0 for 4; and none for 8, call 0 for 8, call 1 for 4, call 0
 * for 4, none for 4. */
static const uint8_t go_values[] = {
	0, 2, 8, 48, 16, 47, 4, 0, 0, 2, 4, 0, 0, 8, 2, 8, 2, 4, 1, 4, 1, 4, 0};
enum { GO_CALL_VALUES = 12 };

/* What the first function has inlined. */
static const struct {
	const char *callee;
	uint8_t at;
} go_calls[] = {{"main.twice", 3}, {"main.(*T).add", 9}};

struct go_image {
	struct image elf;
	uint8_t table[GO_SIZE];
	uint64_t module[GO_WORDS];
	struct buffer more; /* data behind it: of a length that 8 divides */
	uint64_t n_dynamic; /* bytes at more's end that are the dynamic section */
	bool has_no_sections;
	const struct go_image *in_front; /* whose tables are read-only data, below the code */
};

enum { GO_FRONT_OFFSET = 0x400 };

enum { GO_MODULE_AT = GO_DATA + GO_SIZE, GO_MORE_AT = GO_MODULE_AT + GO_WORDS * 8 };

static inline void go_image_put(struct go_image *g, size_t offset, uint64_t value, size_t size)
{
	memcpy(g->table + offset, &value, size);
}

static inline void go_image_list(struct go_image *g, size_t i, uint32_t address, uint32_t record)
{
	go_image_put(g, GO_LIST + 8 * i, address, 4);
	go_image_put(g, GO_LIST + 8 * i + 4, record, 4);
}

/* name: where the next one may be. */
static inline void go_image_fill_calls(struct go_image *g, size_t name)
{
	go_image_put(g, GO_RECORDS + GO_N_VALUES, 3, 4);
	g->table[GO_RECORDS + GO_N_LISTS] = 4;
	go_image_put(g, GO_RECORDS + GO_CALL_INDICES, GO_CALL_VALUES, 4);
	go_image_put(g, GO_RECORDS + GO_CALL_LIST, 0, 4);
	for (size_t i = 0; i < ARRAY_SIZE(go_calls); i++) {
		size_t call = GO_CALLS + i * GO_CALL_SIZE;

		strcpy((char *)g->table + name, go_calls[i].callee);
		go_image_put(g, call + GO_CALLEE, name - GO_NAMES, 4);
		go_image_put(g, call + GO_CALL_AT, go_calls[i].at * GO_UNIT, 4);
		name += strlen(go_calls[i].callee) + 1;
	}
}

static inline void go_image_fill_table(struct go_image *g)
{
	static const uint64_t parts[] = {GO_NAMES, GO_FILES, GO_FILES, GO_VALUES, GO_LIST};
	size_t name = GO_NAMES + 1;

	go_image_put(g, 0, 0xfffffff1 | (uint64_t)GO_UNIT << 48 | 8ULL << 56, 8);
	go_image_put(g, GO_COUNT, GO_N, 8);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		go_image_put(g, GO_PARTS + 8 * i, parts[i], 8);
	memcpy(g->table + GO_VALUES, go_values, sizeof(go_values));
	for (size_t i = 0; i < GO_N; i++) {
		size_t record = GO_RECORDS + i * GO_RECORD_SIZE;

		if (i && strcmp(go_functions[i].name, go_functions[i - 1].name) != 0)
			name += strlen(go_functions[i - 1].name) + 1;
		strcpy((char *)g->table + name, go_functions[i].name);
		go_image_list(g, i, go_functions[i].begin * GO_UNIT, (uint32_t)(record - GO_LIST));
		go_image_put(g, record, go_functions[i].begin * GO_UNIT, 4);
		go_image_put(g, record + GO_NAME, name - GO_NAMES, 4);
		go_image_put(g, record + GO_DEPTHS, go_functions[i].depths, 4);
		g->table[record + GO_ID] = go_functions[i].id;
		g->table[record + GO_FLAGS] = go_functions[i].flags;
	}
	go_image_list(g, GO_N, GO_END * GO_UNIT, 0);
	go_image_fill_calls(g, name + strlen(go_functions[GO_N - 1].name) + 1);
}

static inline void go_image_fill_module(struct go_image *g)
{
	const uint64_t words[] = {GO_DATA, GO_DATA + GO_NAMES, 0, 0, 0, 0, 0, 0, 0, 0,
		GO_DATA + GO_VALUES, 0, 0, GO_DATA + GO_LIST, GO_SIZE - GO_LIST, GO_SIZE - GO_LIST,
		GO_DATA + GO_LIST, GO_N + 1, GO_N + 1, 0, IMAGE_CODE, IMAGE_CODE + GO_END * GO_UNIT,
		IMAGE_CODE, IMAGE_CODE + GO_END * GO_UNIT};

	memcpy(g->module, words, sizeof(words));
	g->module[GO_INLINED] = GO_DATA + GO_CALLS;
}

static inline struct go_image go_image_new(void)
{
	struct go_image g = {.elf = image_new()};

	go_image_fill_table(&g);
	go_image_fill_module(&g);
	return g;
}

static inline void go_image_deinit(struct go_image *g)
{
	image_deinit(&g->elf);
	buffer_deinit(&g->more);
}

static inline void go_image_segments(struct go_image *g)
{
	uint64_t size = GO_SIZE + sizeof(g->module) + g->more.size;
	Elf64_Phdr data = {.p_type = PT_LOAD,
		.p_flags = PF_R | PF_W,
		.p_offset = IMAGE_CODE_OFFSET + IMAGE_CODE_SIZE,
		.p_vaddr = GO_DATA,
		.p_filesz = size,
		.p_memsz = size};

	g->elf.segments[2] = data;
	data.p_type = PT_DYNAMIC;
	data.p_offset += size - g->n_dynamic;
	data.p_vaddr += size - g->n_dynamic;
	data.p_filesz = g->n_dynamic;
	g->elf.segments[3] = data;
	g->elf.header.e_phnum = 3 + (g->n_dynamic > 0);
}

/* The file. The caller closes it. */
static inline int go_image_write(struct go_image *g)
{
	int fd;

	image_section(&g->elf, ".gopclntab", SHT_PROGBITS, g->table, GO_SIZE)->sh_addr = GO_DATA;
	image_section(&g->elf, ".go.module", SHT_PROGBITS, g->module, sizeof(g->module));
	image_section(&g->elf, ".more", SHT_PROGBITS, g->more.data, g->more.size);
	go_image_segments(g);
	image_finish(&g->elf);
	if (g->has_no_sections)
		g->elf.header.e_shoff = g->elf.header.e_shnum = g->elf.header.e_shstrndx = 0;
	fd = image_write(&g->elf);
	if (g->in_front) {
		image_pwrite(fd, g->in_front->table, GO_SIZE, GO_FRONT_OFFSET);
		image_pwrite(fd, g->in_front->module, sizeof(g->module), GO_FRONT_OFFSET + GO_SIZE);
	}
	for (size_t i = 0; i < 2; i++)
		image_pwrite(fd, go_makes_room, sizeof(go_makes_room),
			IMAGE_CODE_OFFSET + (go_functions[i].begin + 8) * GO_UNIT -
				sizeof(go_makes_room));
	return fd;
}

/* The file, and what is read from it. */
struct go_opened {
	int fd;
	struct elf_file *file;
	const struct go_table *table;
	const char *why;
};

static inline void go_opened_deinit(struct go_opened *o)
{
	elf_file_free(o->file);
	close(o->fd);
}

static inline struct go_opened go_image_open(struct go_image *g)
{
	_cleanup_(error_deinit) struct error e = {};
	struct go_opened o = {.fd = go_image_write(g)};

	CHECK_INT(elf_file_open(&o.file, o.fd, &e), 0);
	o.table = elf_file_go(o.file, &o.why);
	return o;
}
