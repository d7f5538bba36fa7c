// SPDX-License-Identifier: Apache-2.0
#include "cli/names.h"

static const char *program_name(uint64_t device, uint64_t inode, void *data)
{
	return naming_program(data, device, inode);
}

static const char *cgroup_name(uint64_t id, void *data)
{
	return naming_cgroup(data, id);
}

static bool process_is_gone(uint64_t pid, void *data)
{
	return naming_process_is_gone(data, pid);
}

static bool cgroup_is_gone(uint64_t id, void *data)
{
	return naming_cgroup_is_gone(data, id);
}

struct carry_names names_of(struct naming *n)
{
	return (struct carry_names){program_name, cgroup_name, n};
}

struct trace_gone names_gone(struct naming *n)
{
	return (struct trace_gone){process_is_gone, cgroup_is_gone, n};
}
