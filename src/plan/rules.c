// SPDX-License-Identifier: Apache-2.0
/*
 * On x86-64, Linux 6.11 made the return of a probed function a system call, `uretprobe`. A process
 * whose seccomp filter doesn't know it, which is any with a list of what is allowed, crashes there.
 * 6.14 passes it by all filters; the later ones of the stable series before do, too.
 */
#include "plan/rules.h"

#include <stdlib.h>
#include <sys/utsname.h>

#include "base/cleanup.h"

/* The first release of each series that is right. */
static const struct {
	unsigned long major, minor, first_right;
} series[] = {
	{6, 11, 99},
	{6, 12, 14},
	{6, 13, 3},
};

/* The number at *at, and past it and the dot behind it. */
static unsigned long take_part(const char **at)
{
	char *end;
	unsigned long part = strtoul(*at, &end, 10);

	*at = *end == '.' ? end + 1 : end;
	return part;
}

struct plan_rules rules_of_release(const char *release)
{
	unsigned long major = take_part(&release), minor = take_part(&release),
		      patch = take_part(&release);

	for (size_t i = 0; i < ARRAY_SIZE(series); i++)
		if (series[i].major == major && series[i].minor == minor)
			return (struct plan_rules){
				.allows_uretprobes = patch >= series[i].first_right};
	return (struct plan_rules){.allows_uretprobes = true};
}

struct plan_rules rules_guess(void)
{
	struct utsname name;

	return uname(&name) ? (struct plan_rules){} : rules_of_release(name.release);
}
