// SPDX-License-Identifier: Apache-2.0
/*
 * EPERM has many causes, and the kernel names none of them. What /proc and /sys tell is compared
 * with what each kernel demands, in order of likelihood.
 */
#include "trace/kernel.h"

#include <bpf/libbpf.h>
#include <cap-ng.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

static char last_message[512];

static bool has_capability(unsigned capability)
{
	return capng_have_capability(CAPNG_EFFECTIVE, capability);
}

static bool is_capable_of_bpf(void)
{
	return has_capability(CAP_SYS_ADMIN) ||
	       (has_capability(CAP_BPF) && has_capability(CAP_PERFMON));
}

/* The value of a line "Name:\tvalue" of /proc/self/status, or -1. */
static long own_status(const char *name)
{
	_cleanup_(fclosep) FILE *f = fopen("/proc/self/status", "re");
	size_t n = strlen(name);
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, name, n) && line[n] == ':')
			return strtol(line + n + 1, NULL, 10);
	return -1;
}

static bool file_contains(const char *path, const char *text)
{
	_cleanup_(fclosep) FILE *f = fopen(path, "re");
	char line[256];

	return f && fgets(line, sizeof(line), f) && strstr(line, text);
}

static const char *denial(void)
{
	if (!is_capable_of_bpf())
		return "the exporter lacks privilege: run it as root, or grant CAP_BPF and "
		       "CAP_PERFMON (kernels before 6.6, and perf mode, need CAP_SYS_ADMIN)";
	if (own_status("Seccomp") == 2)
		return "the capabilities are there but a seccomp filter is in force, and it likely "
		       "forbids bpf(2): run the container with a profile that allows bpf and "
		       "perf_event_open (Kubernetes: securityContext.seccompProfile.type: "
		       "Unconfined, or a Localhost profile)";
	if (file_contains("/sys/kernel/security/lockdown", "[confidentiality]"))
		return "kernel lockdown is in confidentiality mode, which forbids reading by BPF: "
		       "boot with lockdown=integrity or none";
	if (!has_capability(CAP_SYS_ADMIN))
		return "this kernel demands CAP_SYS_ADMIN for uprobes through perf: grant it, or "
		       "use "
		       "a kernel from 6.6 on, where CAP_BPF and CAP_PERFMON are enough";
	return "a security module or a sysctl forbids it";
}

int kernel_explain(struct error *e, int code)
{
	switch (code) {
	case -EPERM:
	case -EACCES:
		return error_wrap(e, code, "%s", denial());
	case -EMFILE:
	case -ENFILE:
		return error_wrap(
			e, code, "too many open files: raise the limit (LimitNOFILE=, ulimit -n)");
	case -ENOMEM:
		return error_wrap(e, code,
			"out of memory: a memory limit of the exporter's "
			"control group may be too low");
	default:
		return code;
	}
}

static int check_version(struct error *e)
{
	struct utsname name;
	int major = 0, minor = 0;
	char *end;

	if (uname(&name))
		return 0;
	major = (int)strtol(name.release, &end, 10);
	if (*end == '.')
		minor = (int)strtol(end + 1, NULL, 10);
	if (major > 5 || (major == 5 && minor >= 15))
		return 0;
	return error_set(
		e, -EOPNOTSUPP, "Linux %s is too old: 5.15 or newer is needed", name.release);
}

int kernel_check(struct error *e)
{
	int r = check_version(e);

	if (r)
		return r;
	if (access("/sys/bus/event_source/devices/uprobe/type", F_OK) &&
		!access("/sys/bus/event_source/devices", F_OK))
		return error_set(e, -EOPNOTSUPP,
			"this kernel was built without uprobes (CONFIG_UPROBE_EVENTS)");
	if (!is_capable_of_bpf())
		return error_set(e, -EPERM, "%s", denial());
	return 0;
}

void kernel_raise_limits(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files))
		return;
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
}

static int capture(enum libbpf_print_level level, const char *format, va_list args)
{
	if (level == LIBBPF_DEBUG)
		return 0;
	vsnprintf(last_message, sizeof(last_message), format, args);
	last_message[strcspn(last_message, "\n")] = '\0';
	return 0;
}

void kernel_capture_messages(void)
{
	libbpf_set_print(capture);
}

const char *kernel_last_message(void)
{
	return last_message;
}
