/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which process a call is made by. */
#pragma once

#include "bpf/frames.bpf.h"

/* Its number as user space sees it. Not 0: it has none there. */
own_frame int take_pid(const volatile struct pid_namespace *pids, __u64 *out)
{
	struct bpf_pidns_info info;

	*out = bpf_get_current_pid_tgid() >> 32;
	if (!pids->device)
		return 0;
	if (bpf_get_ns_current_pid_tgid(pids->device, pids->inode, &info, sizeof(info)))
		return 1;
	*out = info.tgid;
	return 0;
}

/* The pointer at offset of a structure of the kernel's; false where it is not known. */
always_inline bool follow_kernel(const char **at, __u32 offset)
{
	return offset != TASK_LAYOUT_UNKNOWN &&
	       !bpf_probe_read_kernel(at, sizeof(*at), *at + offset) && *at;
}

/* The file that it runs: two words, the device (as the kernel writes it) and the inode number. Not
 * 0: it is not known. */
own_frame int take_program(const volatile struct task_layout *layout, __u64 *words)
{
	const char *at = (const char *)bpf_get_current_task();
	__u64 inode_number;
	__u32 device;

	if (!follow_kernel(&at, layout->memory) || !follow_kernel(&at, layout->program) ||
		!follow_kernel(&at, layout->inode) ||
		bpf_probe_read_kernel(
			&inode_number, sizeof(inode_number), at + layout->inode_number))
		return 1;
	if (!follow_kernel(&at, layout->filesystem) ||
		bpf_probe_read_kernel(&device, sizeof(device), at + layout->device))
		return 1;
	words[0] = device;
	words[1] = inode_number;
	return 0;
}

/* The size of a name that its maker has filled up with zeros. */
always_inline __u32 comm_size(const char *name, __u32 n)
{
	__u32 size = 0;

#pragma clang loop unroll(full)
	for (__u32 i = 0; i < n; i++)
		if (name[i])
			size = i + 1;
	return size;
}
