// SPDX-License-Identifier: Apache-2.0
/*
 * The decoder of x86-64 against Capstone, which the room keeps for the instructions to be probed:
 * over all code of the C library that this program runs with, both must see the same
 * instructions, but for those that Capstone doesn't know. And whatever bytes are given, nothing
 * is read or told that lies outside of them.
 */
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>

#include "base/memory.h"
#include "code/function.h"
#include "code/machine.h"
#include "code/x86_decode.h"

#include "check.h"

struct code_range {
	const uint8_t *bytes;
	size_t n;
};

/* The executable segment in which a function of the C library lies. */
static int find_range(struct dl_phdr_info *info, size_t size, void *data)
{
	struct code_range *range = data;
	uint64_t function = (uint64_t)(uintptr_t)qsort;

	(void)size;
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uint64_t start = info->dlpi_addr + p->p_vaddr;

		if (p->p_type == PT_LOAD && p->p_flags & PF_X && function - start < p->p_memsz) {
			range->bytes = (const uint8_t *)(uintptr_t)start;
			range->n = p->p_memsz;
			return 1;
		}
	}
	return 0;
}

static void sees_what_capstone_sees(void)
{
	struct code_range range = {};
	size_t n_compared = 0, n_different = 0;

	CHECK_INT(dl_iterate_phdr(find_range, &range), 1);
	for (size_t at = 0; at < range.n;) {
		struct x86_instruction own;
		size_t left = range.n - at;
		bool is_own = x86_decode(range.bytes + at, left, &own);
		size_t size = x86_instruction_size(range.bytes + at, left, at);

		n_compared += size != 0;
		n_different += size && (!is_own || own.size != size);
		at += is_own ? own.size : size ? size : 1;
	}
	CHECK_INT(n_different, 0);
	CHECK(n_compared > 100000);
}

static void knows_what_capstone_does_not(void)
{
	static const struct {
		uint8_t bytes[16], size;
	} instructions[] = {
		{{0xc4, 0xe1, 0xfb, 0x93, 0xc5}, 5},                /* kmovq %k5,%rax */
		{{0x62, 0xf3, 0x7d, 0x48, 0x3f, 0xc2, 0x00}, 7},    /* vpcmpeqb $0,... */
		{{0x62, 0xf2, 0x76, 0x49, 0x26, 0xe1}, 6},          /* vptestnmb ... */
		{{0xf3, 0x48, 0x0f, 0x1e, 0xc9}, 5},                /* rdsspq %rcx */
		{{0xc4, 0xe2, 0x7b, 0x49, 0xc0}, 5},                /* tilezero %tmm0 */
		{{0x66, 0x66, 0x48, 0xe8, 0x01, 0x02, 0x03, 4}, 8}, /* data16 data16 rex.W call */
		{{0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66,
			 0x66, 0x90},
			15}, /* the longest nop */
	};

	for (size_t i = 0; i < ARRAY_SIZE(instructions); i++) {
		struct x86_instruction decoded = {};

		CHECK(x86_decode(instructions[i].bytes, 16, &decoded));
		CHECK_INT(decoded.size, instructions[i].size);
		CHECK(!x86_decode(instructions[i].bytes, instructions[i].size - 1u, &decoded));
	}
}

static void knows_what_is_none(void)
{
	static const uint8_t none[][16] = {
		{0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66,
			0x66, 0x90}, /* too long */
		{0x06},
		{0x27},
		{0x60},
		{0x82, 0xc0},
		{0x9a},
		{0xce},
		{0xd4},
		{0xd5, 0x00},
		{0xea},
		{0x0f, 0x04},
		{0x0f, 0x0a},
		{0x0f, 0x24},
		{0x0f, 0x39},
		{0x0f, 0xa6},
		{0xc4, 0xe0, 0x78, 0x10, 0xc0},       /* VEX of no map */
		{0x62, 0xf4, 0x7c, 0x48, 0x10, 0xc0}, /* EVEX of APX */
		{0x66, 0xe8, 0x01, 0x02, 0x03, 0x04}, /* vendors differ on its size */
		{0x66, 0x0f, 0x84, 0x01, 0x02, 0x03, 0x04},
	};

	for (size_t i = 0; i < ARRAY_SIZE(none); i++) {
		struct x86_instruction decoded;

		CHECK(!x86_decode(none[i], sizeof(none[i]), &decoded));
	}
}

/* xorshift: the same bytes each time. */
static uint64_t next_number(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* Short branches and returns are more frequent in it than among random bytes. */
static void fill(uint8_t *bytes, size_t n, uint64_t *seed)
{
	static const uint8_t frequent[] = {0xc3, 0x74, 0xeb, 0x50, 0x58, 0x48, 0x89, 0x63, 0xff};

	for (size_t i = 0; i < n; i++) {
		uint64_t number = next_number(seed);

		bytes[i] = number & 0x100 ? frequent[(uint8_t)number % ARRAY_SIZE(frequent)]
					  : (uint8_t)number;
	}
}

/* Anything is read at any address. */
static int read_anything(void *data, uint64_t address, void *bytes, size_t n)
{
	uint64_t seed = address | 1;

	(void)data;
	fill(bytes, n, &seed);
	return 0;
}

static bool is_told_rightly(const struct code_function *f, const struct code_part *part)
{
	if (f->entry.offset >= part->size || f->n_exits > CODE_MOST_EXITS)
		return false;
	if (f->exits_unknown && f->n_exits)
		return false;
	for (size_t i = 0; i < f->n_exits; i++) {
		uint64_t at = f->exits[i].address - part->address;

		if (at >= part->size || f->exits[i].site.size > part->size - at ||
			(i && f->exits[i].address <= f->exits[i - 1].address))
			return false;
	}
	return true;
}

/* Each function has a block of its own, so that a sanitizer sees what is read beyond it. */
static bool try_bytes(enum elf_machine machine, size_t size, uint64_t *seed)
{
	_cleanup_(freep) uint8_t *bytes = memory_alloc(size);
	struct code_part part = {0x401000, bytes, size};
	uint64_t entry = part.address + size / 2;
	struct code_question question = {
		.machine = machine,
		.parts = &part,
		.n_parts = 1,
		.entries = &entry,
		.n_entries = size % 2,
		.read = read_anything,
	};
	struct code_function f;
	bool is_right;

	fill(bytes, size, seed);
	code_function_decode(&f, &question);
	is_right = is_told_rightly(&f, &part);
	code_function_deinit(&f);
	return is_right;
}

static void survives_any_bytes(void)
{
	uint64_t seed = 0x9e3779b97f4a7c15;
	size_t n_wrong = 0;

	for (size_t i = 0; i < 20000; i++) {
		n_wrong += !try_bytes(ELF_MACHINE_X86_64, 1 + i % 97, &seed);
		n_wrong += !try_bytes(ELF_MACHINE_ARM64, 1 + i % 97, &seed);
	}
	CHECK_INT(n_wrong, 0);
}

static void survives_what_is_no_function(void)
{
	static const uint8_t byte = 0xc3;
	struct code_part none = {0x401000, &byte, 0}, one = {0x401000, &byte, 1};
	struct code_question questions[] = {
		{.machine = ELF_MACHINE_X86_64},
		{.machine = ELF_MACHINE_X86_64, .parts = &none, .n_parts = 1},
		{.machine = ELF_MACHINE_OTHER, .parts = &one, .n_parts = 1},
	};

	for (size_t i = 0; i < ARRAY_SIZE(questions); i++) {
		struct code_function f;

		code_function_decode(&f, &questions[i]);
		CHECK_STR(f.entry.site.refusal, "no code of a machine that is known here");
		CHECK_STR(f.exits_unknown, f.entry.site.refusal);
		code_function_deinit(&f);
	}
}

/* je +1; ret ... ret */
static void check_many_exits(size_t n, const char *unknown)
{
	size_t size = 3 * n + 1;
	_cleanup_(freep) uint8_t *bytes = memory_alloc(size);
	struct code_part part = {0x401000, bytes, size};
	struct code_question question = {
		.machine = ELF_MACHINE_X86_64,
		.parts = &part,
		.n_parts = 1,
	};
	struct code_function f;

	for (size_t i = 0; i < n; i++)
		memcpy(bytes + 3 * i, (uint8_t[]){0x74, 0x01, 0xc3}, 3);
	bytes[size - 1] = 0xc3;
	code_function_decode(&f, &question);
	CHECK_INT(f.n_exits, unknown ? 0 : n + 1);
	CHECK_STR(f.exits_unknown ? f.exits_unknown : "", unknown ? unknown : "");
	CHECK_INT(f.n_instructions, 2 * n + 1);
	code_function_deinit(&f);
}

static void counts_exits(void)
{
	check_many_exits(CODE_MOST_EXITS - 1, NULL);
	check_many_exits(CODE_MOST_EXITS, "it has more than 256 exits");
	check_many_exits(10000, "far too many exits");
}

/* jmp +0 ... */
static void gives_up_on_branches(void)
{
	size_t n = 140000;
	_cleanup_(freep) uint8_t *bytes = memory_alloc(2 * n);
	struct code_part part = {0x401000, bytes, 2 * n};
	struct code_question question = {
		.machine = ELF_MACHINE_X86_64,
		.parts = &part,
		.n_parts = 1,
	};
	struct code_function f;

	for (size_t i = 0; i < n; i++)
		bytes[2 * i] = 0xeb;
	code_function_decode(&f, &question);
	CHECK_STR(f.exits_unknown, "it has too many branches");
	CHECK_INT(f.n_instructions, n);
	code_function_deinit(&f);
}

int main(void)
{
	static const struct check_test tests[] = {
#ifdef __x86_64__
		CHECK_TEST(sees_what_capstone_sees),
#endif
		CHECK_TEST(knows_what_capstone_does_not),
		CHECK_TEST(knows_what_is_none),
		CHECK_TEST(survives_any_bytes),
		CHECK_TEST(survives_what_is_no_function),
		CHECK_TEST(counts_exits),
		CHECK_TEST(gives_up_on_branches),
	};

	return check_run(tests, ARRAY_SIZE(tests));
}
