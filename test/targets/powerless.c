/* SPDX-License-Identifier: Apache-2.0 */
/*
 * powerless [CAPABILITY] COMMAND...: runs COMMAND as a root that has no capabilities, or all but
 * the one of that number.
 */
#include <ctype.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "target.h"

static int drop(int capability)
{
	return prctl(PR_CAPBSET_DROP, capability);
}

int main(int argc, char **argv)
{
	bool is_one = argc > 2 && isdigit((unsigned char)argv[1][0]);

	if (is_one && drop(atoi(argv[1])))
		return 125;
	for (int c = 0; !is_one && prctl(PR_CAPBSET_READ, c) >= 0; c++)
		if (drop(c))
			return 125;
	argv += is_one ? 2 : 1;
	execv(argv[0], argv);
	return 127;
}
