// SPDX-License-Identifier: Apache-2.0
/*
 * A constructor has a body for complete objects (C1) and one for bases (C2); a destructor the same
 * two (D1, D2), and where it is virtual one that also frees the memory (D0). For a person all of
 * them are Order::Order or Order::~Order. Mostly C1 and C2 are one piece of code with two names.
 * Where they are two, calls go to one or the other, so that both count. But D0 calls D1; with
 * -fdeclone-ctor-dtor (-Os) both call C4; and clang without optimisation lets C1 call C2. There the
 * one that calls would count calls twice, and is left out; its mangled name selects it.
 *
 * The mangled names of such bodies differ in one digit.
 */
#include "plan/structor.h"

#include <string.h>
#include <uthash.h>

#include "base/memory.h"

enum { LARGEST_CALLER = 4096 };

struct entry {
	struct symbol *symbol;
	bool is_left_out;
	UT_hash_handle hh; /* by name */
};

struct table {
	struct entry *entries, *by_name;
	struct buffer text;
};

static void table_deinit(struct table *t)
{
	HASH_CLEAR(hh, t->by_name);
	free(t->entries);
	buffer_deinit(&t->text);
}

/* The last letter and digit of a kind in a mangled name: D0. */
static const char *last_mark(const char *name, const char *mark)
{
	const char *last = NULL;

	for (const char *c = strstr(name, mark); c; c = strstr(c + 1, mark))
		last = c;
	return last;
}

/* The body of another kind, or NULL. */
static struct entry *sibling(struct table *t, const char *name, const char *mark, char kind)
{
	struct entry *found = NULL;

	buffer_clear(&t->text);
	buffer_puts(&t->text, name);
	t->text.data[mark + 1 - name] = kind;
	HASH_FIND(hh, t->by_name, t->text.data, t->text.size, found);
	return found;
}

static bool has_structor(const char *name)
{
	static const char *const marks[] = {"C1", "C2", "C4", "D0", "D1", "D2", "D4"};

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (is_mangled(name) && strstr(name, marks[i]))
			return true;
	return false;
}

static void table_init(struct table *t, struct symbols *s)
{
	*t = (struct table){.entries = memory_alloc((s->n + 1) * sizeof(struct entry))};
	for (size_t i = 0; i < s->n; i++) {
		struct entry *e = &t->entries[i], *other;
		const char *name = s->items[i].name;

		e->symbol = &s->items[i];
		if (!has_structor(name))
			continue;
		HASH_FIND_STR(t->by_name, name, other);
		if (!other)
			HASH_ADD_KEYPTR(hh, t->by_name, name, strlen(name), e);
	}
}

/* Whether the instruction at code, which lies at address, calls or jumps to target. */
static bool leads_to(
	enum elf_machine machine, const uint8_t *code, uint64_t address, uint64_t target)
{
	int32_t distance;
	uint32_t word;

	if (machine == ELF_MACHINE_X86_64) {
		memcpy(&distance, code + 1, sizeof(distance));
		return (code[0] & 0xfe) == 0xe8 &&
		       address + 5 + (uint64_t)(int64_t)distance == target;
	}
	memcpy(&word, code, sizeof(word));
	distance = (int32_t)(word << 6) >> 4;
	return (word & 0x7c000000) == 0x14000000 && address + (uint64_t)(int64_t)distance == target;
}

/* Whether the code of one calls the other directly. */
static bool calls(const struct elf_file *elf, const struct symbol *one, const struct symbol *other)
{
	enum { LONGEST = 5 };
	enum elf_machine machine = elf_file_machine(elf);
	uint8_t code[LARGEST_CALLER];
	size_t n = one->size < sizeof(code) ? one->size : sizeof(code);

	if (one->kind != ELF_FUNCTION || elf_file_read(elf, one->offset, code, n))
		return false;
	for (size_t i = 0; i + LONGEST <= n; i += machine == ELF_MACHINE_X86_64 ? 1 : 4)
		if (leads_to(machine, code + i, one->address + i, other->address))
			return true;
	return false;
}

/* D0, where there is one that it calls. */
static void judge_deleting(struct table *t, struct entry *e, struct forms *f)
{
	const char *name = e->symbol->name, *mark = last_mark(name, "D0");

	if (!mark || !forms_read(f, name) || f->demangled.structor != STRUCTOR_DELETING)
		return;
	e->is_left_out = sibling(t, name, mark, '1') || sibling(t, name, mark, '2') ||
			 sibling(t, name, mark, '4');
}

/* C1 or C2, where there is C4; and C1, where it calls C2. */
static void judge_caller(
	struct table *t, struct entry *e, const char *mark, const struct elf_file *elf)
{
	const char *name = e->symbol->name;
	struct entry *base;

	if (!mark)
		return;
	e->is_left_out |= sibling(t, name, mark, '4') != NULL;
	base = mark[1] == '1' ? sibling(t, name, mark, '2') : NULL;
	if (base && base->symbol->address != e->symbol->address && elf)
		e->is_left_out |= calls(elf, e->symbol, base->symbol);
}

void structors_choose(struct symbols *s, const struct elf_file *elf, struct forms *f)
{
	static const char *const callers[] = {"C1", "C2", "D1", "D2"};
	_cleanup_(table_deinit) struct table t = {};
	size_t n = 0;

	table_init(&t, s);
	for (struct entry *e = t.by_name; e; e = e->hh.next) {
		judge_deleting(&t, e, f);
		for (size_t i = 0; i < ARRAY_SIZE(callers); i++)
			judge_caller(&t, e, last_mark(e->symbol->name, callers[i]), elf);
	}
	for (size_t i = 0; i < s->n; i++)
		if (!t.entries[i].is_left_out)
			s->items[n++] = s->items[i];
	s->n = n;
}

/* What bodies of one function have in common; NULL of a function that has just one. */
static const char *common_name(const struct symbol *s, struct forms *f, struct arena *a)
{
	struct readable r;

	if (!has_structor(s->name))
		return NULL;
	r = readable_of(f, s->name, a);
	return r.structor == STRUCTOR_NONE ? NULL : r.full;
}

size_t structors_count(const struct symbols *s, struct forms *f, struct arena *a)
{
	const char **names = arena_array(a, s->n, sizeof(const char *));
	size_t count = 0;

	for (size_t i = 0; i < s->n; i++) {
		bool is_known = false;

		names[i] = common_name(&s->items[i], f, a);
		for (size_t k = 0; names[i] && k < i; k++)
			is_known |= names[k] && !strcmp(names[i], names[k]);
		count += !is_known;
	}
	return count;
}
