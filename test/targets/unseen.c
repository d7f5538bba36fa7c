/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unseen HOW: calls `work` 1,000 times, from code that a breakpoint can't get into:
 *
 *   writable  its own, but mapped so that it can be written to
 *   shared    another mapping of its file, shared
 *   plain     its own: nothing is in the way
 */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "target.h"

enum { N_CALLS = 1000, PAGE = 4096 };

long work(long value);

PROBED long work(long value)
{
	return opaque(value) + 1;
}

typedef long work_function(long value);

static char *page_of_work(void)
{
	return (char *)((unsigned long)work & ~(PAGE - 1ul));
}

static void *fail_if_none(void *mapping)
{
	if (mapping == MAP_FAILED)
		exit(4);
	return mapping;
}

static work_function *make_writable(void)
{
	if (mprotect(page_of_work(), PAGE, PROT_READ | PROT_WRITE | PROT_EXEC))
		exit(4);
	return work;
}

/* Where the first page of the file is in memory. */
extern char __executable_start;

static work_function *map_shared(void)
{
	size_t distance = (size_t)((char *)work - &__executable_start);
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	char *file =
		fail_if_none(mmap(NULL, distance + PAGE, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0));

	return (work_function *)(file + distance);
}

static work_function *leave(void)
{
	return work;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		work_function *(*prepare)(void);
	} ways[] = {{"writable", make_writable}, {"shared", map_shared}, {"plain", leave}};
	work_function *call = NULL;
	long sum = 0;

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (argc > 1 && !strcmp(argv[1], ways[i].name))
			call = ways[i].prepare();
	if (!call)
		return 2;
	target_wait("ready");
	for (int i = 0; i < N_CALLS; i++)
		sum = call(sum);
	target_report("work", (struct ending){.calls = N_CALLS, .completed = N_CALLS});
	target_wait("done");
	return sum != N_CALLS;
}
