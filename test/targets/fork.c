/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fork TIMES: forks inside a probed call. The call began once, in the parent, and ends there; the
 * child returns through it too and then makes a call of its own.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "target.h"

long split(long forks);

/* Returns the child's pid, 0 in the child. */
PROBED long split(long forks)
{
	return forks ? opaque(fork()) : opaque(1);
}

int main(int argc, char **argv)
{
	unsigned long times = target_number(argc, argv, 1, 50);
	int status;

	target_wait("ready");
	for (unsigned long i = 0; i < times; i++) {
		long child = split(1);

		if (child < 0)
			return 1;
		if (child == 0) {
			split(0);
			_exit(0);
		}
		if (waitpid((pid_t)child, &status, 0) < 0 || status)
			return 1;
	}
	target_report("split", (struct ending){.calls = 2 * times, .completed = 2 * times});
	target_wait("done");
	return 0;
}
