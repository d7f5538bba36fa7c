// SPDX-License-Identifier: Apache-2.0
/* What the machines' steps have in common. */
#include "code/step.h"

#include "base/cleanup.h"
#include "base/memory.h"

enum { MOST_TABLES = 1024, MOST_ENTRIES = 1 << 16 };

const struct stepper *stepper_find(enum elf_machine machine)
{
	static const struct stepper *const steppers[] = {
		[ELF_MACHINE_X86_64] = &x86_stepper,
		[ELF_MACHINE_ARM64] = &arm64_stepper,
	};

	return (size_t)machine < ARRAY_SIZE(steppers) ? steppers[machine] : NULL;
}

void table_bound(struct jump_table *table, struct value index)
{
	bool is_bounded = value_is_within(index, MOST_ENTRIES - 1);

	table->most_entries = is_bounded ? (uint32_t)index.number + 1 : MOST_ENTRIES;
	table->is_exact = is_bounded && index.kind == VALUE_BOUNDED;
}

struct value state_enter_table(struct state *s, const struct jump_table *table)
{
	struct jump_tables *t = s->tables;
	size_t at = 0;

	if (!t)
		return value_of(VALUE_UNKNOWN, 0);
	while (at < t->n && t->tables[at].loaded_at != table->loaded_at)
		at++;
	if (at == MOST_TABLES)
		return value_of(VALUE_UNKNOWN, 0);
	if (at == t->n) {
		t->tables = memory_grow(t->tables, t->n + 1, sizeof(*t->tables));
		t->n++;
	}
	t->tables[at] = *table;
	return value_of(VALUE_ENTRY, (int64_t)at);
}

struct value state_resolve(struct state *s, struct value entry, struct value base, unsigned shift)
{
	struct jump_table *table;

	if (entry.kind != VALUE_ENTRY || base.kind != VALUE_ADDRESS)
		return value_of(VALUE_UNKNOWN, 0);
	table = &s->tables->tables[entry.number];
	table->base = (uint64_t)base.number;
	table->shift = (uint8_t)shift;
	return value_of(VALUE_TARGET, entry.number);
}
