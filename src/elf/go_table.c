// SPDX-License-Identifier: Apache-2.0
/*
 * The tables in memory. They are read whole, because a name or a value may lie anywhere in them,
 * and are checked once: after that every function has a record and a name that ends within the
 * tables. Tables of values are checked as they are read: they have to move on with every step, so
 * that a walk takes no more steps than the function has bytes.
 */
#include "elf/go_table.h"
#include "elf/layout.h"

#include <errno.h>
#include <string.h>

#include "base/memory.h"

enum {
	/* Fields of a record, from behind the address; ids and flags are where the layout says. */
	NAME = 0,
	STACK_DEPTH = 12,
	IS_TOP = 1,
	WRITES_STACK = 2,
	IS_ASSEMBLY = 4,
};
static const uint64_t largest_table_bytes = 1 << 30;

void go_table_free(struct go_table *t)
{
	if (!t)
		return;
	free(t->bytes);
	free(t->version);
	free(t);
}

static uint64_t number_at(const struct go_table *t, uint64_t offset, size_t size)
{
	uint64_t value = 0;

	memcpy(&value, t->bytes + offset, size);
	return value;
}

uint32_t go_record_word(const struct go_table *t, uint64_t record, uint64_t offset)
{
	return (uint32_t)number_at(t, record + offset, 4);
}

/* The list's i-th address, and the offset of its record from the list's beginning. */
static uint64_t list_address(const struct go_table *t, size_t i)
{
	uint64_t size = t->header.layout->address_size;

	return t->module.text + number_at(t, t->header.functions + 2 * size * i, size);
}

static uint64_t list_record(const struct go_table *t, size_t i)
{
	uint64_t size = t->header.layout->address_size;

	return t->header.functions + number_at(t, t->header.functions + size * (2 * i + 1), size);
}

static uint32_t name_offset(const struct go_table *t, uint64_t record)
{
	return go_record_word(t, record, t->header.layout->address_size + NAME);
}

struct go_values go_values_begin(
	const struct go_table *t, uint32_t offset, uint64_t address, uint64_t limit)
{
	const uint8_t *end = t->bytes + t->header.functions;
	uint64_t size = t->header.functions - t->header.values;

	return (struct go_values){
		.at = offset && offset < size ? t->bytes + t->header.values + offset : end,
		.end = end,
		.from = address,
		.until = address,
		.limit = limit,
		.value = -1,
		.quantum = t->header.quantum,
		.is_broken = offset >= size,
	};
}

/* A number of at most five bytes; false past the end. */
static bool take_number(struct go_values *v, uint32_t *out)
{
	uint32_t value = 0;

	for (unsigned shift = 0; shift < 32 && v->at < v->end; shift += 7) {
		uint8_t byte = *v->at++;

		value |= (uint32_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80)) {
			*out = value;
			return true;
		}
	}
	return false;
}

bool go_values_next(struct go_values *v)
{
	uint32_t change = 0, distance = 0;

	if (v->at == v->end || v->is_broken)
		return false;
	v->is_broken = !take_number(v, &change);
	if (v->is_broken || (!change && v->has_begun))
		return false;
	v->is_broken = !take_number(v, &distance) || !distance ||
		       (uint64_t)distance * v->quantum > v->limit - v->until;
	if (v->is_broken)
		return false;
	v->has_begun = true;
	v->value = (int32_t)((uint32_t)v->value + (-(change & 1) ^ change >> 1));
	v->from = v->until;
	v->until += (uint64_t)distance * v->quantum;
	return true;
}

static struct go_values stack_depths(
	const struct go_table *t, uint64_t record, uint64_t address, uint64_t limit)
{
	uint64_t field = t->header.layout->address_size + STACK_DEPTH;

	return go_values_begin(t, go_record_word(t, record, field), address, limit);
}

struct go_values go_stack_depths(const struct go_table *t, const struct go_function *function)
{
	return stack_depths(
		t, function->record, function->address, function->address + function->size);
}

int64_t go_table_stack_depth(
	const struct go_table *t, const struct go_function *function, uint64_t pc)
{
	struct go_values v = go_stack_depths(t, function);

	while (go_values_next(&v))
		if (pc >= v.from && pc < v.until)
			return v.value;
	return -1;
}

/* Every function has such a table, but for C that Go's own linker has put in: it ends where the
 * code does. */
static uint64_t size_of(const struct go_table *t, uint64_t record, uint64_t address, uint64_t limit)
{
	struct go_values v = stack_depths(t, record, address, limit);

	while (go_values_next(&v))
		;
	return v.has_begun && !v.is_broken ? v.until - address : limit - address;
}

void go_table_get(const struct go_table *t, size_t i, struct go_function *out)
{
	uint64_t address = list_address(t, i), record = list_record(t, i);
	uint8_t flags = t->bytes[record + t->header.layout->id + 1];

	*out = (struct go_function){
		.name = (const char *)t->bytes + t->header.names + name_offset(t, record),
		.address = address,
		.size = size_of(t, record, address, list_address(t, i + 1)),
		.record = record,
		.is_assembly = flags & IS_ASSEMBLY,
		.is_wrapper = t->bytes[record + t->header.layout->id] == t->wrapper,
		.is_top = flags & IS_TOP,
		.writes_stack = flags & WRITES_STACK,
	};
}

int go_table_find(const struct go_table *t, uint64_t address, struct go_function *out)
{
	size_t first = 0, end;

	/* The last that begins at or before the address: of several there, the one with a size. */
	for (end = t->header.n_functions; first < end;) {
		size_t middle = first + (end - first) / 2;

		if (list_address(t, middle) <= address)
			first = middle + 1;
		else
			end = middle;
	}
	if (!first || list_address(t, first - 1) != address)
		return -ENOENT;
	go_table_get(t, first - 1, out);
	return out->size ? 0 : -ENOENT;
}

int go_table_each(const struct go_table *t, go_function_visit *visit, void *data)
{
	struct go_function function;
	int r = 0;

	for (size_t i = 0; i < t->header.n_functions && !r; i++) {
		go_table_get(t, i, &function);
		if (function.size)
			r = visit(&function, data);
	}
	return r;
}

const char *go_table_version(const struct go_table *t)
{
	return t->version;
}

bool go_table_keeps_goroutine(const struct go_table *t)
{
	return t->header.layout->address_size == 4;
}

/* Whether the list is one: ascending, and with the header's parts in front of it. */
static bool list_is_good(const struct go_table *t)
{
	const struct go_header *h = &t->header;
	uint64_t size = (2 * h->n_functions + 1) * h->layout->address_size;

	if (h->functions > t->module.size || size > t->module.size - h->functions)
		return false;
	for (size_t i = 0; i < h->n_functions; i++)
		if (list_address(t, i) > list_address(t, i + 1))
			return false;
	return true;
}

/* Takes the name's bytes off the budget: functions may share names, but not beyond reason. */
static bool record_is_good(const struct go_table *t, size_t i, uint64_t *budget)
{
	const struct go_layout *layout = t->header.layout;
	uint64_t record = list_record(t, i), names = t->header.files - t->header.names, length;
	uint32_t name;

	if (record < t->header.functions || record > t->module.size ||
		layout->record_size > t->module.size - record ||
		t->module.text + number_at(t, record, layout->address_size) != list_address(t, i))
		return false;
	name = name_offset(t, record);
	if (name >= names)
		return false;
	length = strnlen((const char *)t->bytes + t->header.names + name, names - name);
	if (length == names - name || length >= *budget)
		return false;
	*budget -= length;
	return true;
}

/* The compiler's own functions have the highest of all ids. */
static uint8_t find_wrapper(const struct go_table *t)
{
	uint8_t highest = 1;

	for (size_t i = 0; i < t->header.n_functions; i++) {
		uint8_t id = t->bytes[list_record(t, i) + t->header.layout->id];

		highest = id > highest ? id : highest;
	}
	return highest;
}

static bool check(const struct go_table *t)
{
	uint64_t budget = 16 * (t->header.files - t->header.names) + 1;

	if (!list_is_good(t))
		return false;
	for (size_t i = 0; i < t->header.n_functions; i++)
		if (!record_is_good(t, i, &budget))
			return false;
	return true;
}

struct go_table *go_table_load(
	const struct elf_file *f, const struct go_header *header, const struct go_module *module)
{
	_cleanup_(go_table_freep) struct go_table *t = memory_alloc(sizeof(*t));

	*t = (struct go_table){.file = f, .header = *header, .module = *module};
	if (module->size > largest_table_bytes || !segment_has(f, header->address, module->size))
		return NULL;
	t->bytes = memory_alloc(module->size + 1);
	if (elf_file_read_address(f, header->address, t->bytes, module->size) || !check(t))
		return NULL;
	t->wrapper = find_wrapper(t);
	t->inlined = go_inline_find(t);
	return TAKE_PTR(t);
}
