/* SPDX-License-Identifier: Apache-2.0 */
/*
 * powerless COMMAND...: runs COMMAND as a root that has no capabilities.
 */
#include <sys/prctl.h>
#include <unistd.h>

#include "target.h"

int main(int argc, char **argv)
{
	(void)argc;
	for (int capability = 0; prctl(PR_CAPBSET_READ, capability) >= 0; capability++)
		if (prctl(PR_CAPBSET_DROP, capability))
			return 125;
	execv(argv[1], argv + 1);
	return 127;
}
