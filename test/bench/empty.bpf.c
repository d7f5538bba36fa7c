// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Programs that do nothing: what any uprobe costs, which the bench divides by. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

SEC("uprobe/entry")
int empty_entry(void *ctx)
{
	(void)ctx;
	return 0;
}

SEC("uretprobe/return")
int empty_return(void *ctx)
{
	(void)ctx;
	return 0;
}

SEC("uprobe/session")
int empty_session(void *ctx)
{
	(void)ctx;
	return 0;
}
