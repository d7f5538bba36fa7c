// SPDX-License-Identifier: Apache-2.0
/*
 * The one use of the kernel's BTF, and one that can be done without: programs are not relocated by
 * it, and where a kernel has none, they leave out what needs it. It is read at start, for a few
 * numbers, and freed.
 */
#include "trace/task.h"

#include <bpf/btf.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/cleanup.h"
#include "trace/kernel.h"

DEFINE_CLEANUP(btf__free, struct btf *)

/* Members of members that have no name are looked for as deep as this. */
enum { DEEPEST = 4 };

/* The offset of a member of the type with that number. */
static uint32_t find_in(const struct btf *btf, uint32_t id, const char *name, int depth)
{
	const struct btf_type *type = btf__type_by_id(btf, id);

	if (!type || !btf_is_composite(type) || depth == DEEPEST)
		return TASK_LAYOUT_UNKNOWN;
	for (uint32_t i = 0; i < btf_vlen(type); i++) {
		const struct btf_member *m = &btf_members(type)[i];
		uint32_t offset = btf_member_bit_offset(type, i) / 8, inner = 0;

		if (!m->name_off)
			inner = find_in(btf, m->type, name, depth + 1);
		else if (strcmp(btf__name_by_offset(btf, m->name_off), name) != 0)
			inner = TASK_LAYOUT_UNKNOWN;
		if (inner != TASK_LAYOUT_UNKNOWN)
			return offset + inner;
	}
	return TASK_LAYOUT_UNKNOWN;
}

/* The offset of a member of a structure. */
static uint32_t find_member(const struct btf *btf, const char *structure, const char *name)
{
	int id = btf__find_by_name_kind(btf, structure, BTF_KIND_STRUCT);

	return id > 0 ? find_in(btf, (uint32_t)id, name, 0) : TASK_LAYOUT_UNKNOWN;
}

/* The three members in a row, as struct alternate_stack has them. */
static uint32_t find_alternate_stack(const struct btf *btf)
{
	uint32_t base = find_member(btf, "task_struct", "sas_ss_sp");
	uint32_t size = find_member(btf, "task_struct", "sas_ss_size");
	uint32_t flags = find_member(btf, "task_struct", "sas_ss_flags");

	if (size - base != offsetof(struct alternate_stack, size) ||
		flags - base != offsetof(struct alternate_stack, flags))
		return TASK_LAYOUT_UNKNOWN;
	return base;
}

static const struct {
	size_t where; /* in struct task_layout */
	const char *structure, *name;
} members[] = {
	{offsetof(struct task_layout, signal), "task_struct", "signal"},
	{offsetof(struct task_layout, live_threads), "signal_struct", "live"},
	{offsetof(struct task_layout, memory), "task_struct", "mm"},
	{offsetof(struct task_layout, program), "mm_struct", "exe_file"},
	{offsetof(struct task_layout, inode), "file", "f_inode"},
	{offsetof(struct task_layout, inode_number), "inode", "i_ino"},
	{offsetof(struct task_layout, filesystem), "inode", "i_sb"},
	{offsetof(struct task_layout, device), "super_block", "s_dev"},
};

void task_layout_find(struct task_layout *out)
{
	_cleanup_(btf__freep) struct btf *btf = NULL;

	kernel_capture_messages();
	btf = btf__load_vmlinux_btf();
	if (btf)
		out->alternate_stack = find_alternate_stack(btf);
	else
		out->alternate_stack = TASK_LAYOUT_UNKNOWN;
	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		*(uint32_t *)((char *)out + members[i].where) =
			btf ? find_member(btf, members[i].structure, members[i].name)
			    : TASK_LAYOUT_UNKNOWN;
}
