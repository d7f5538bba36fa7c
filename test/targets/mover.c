/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mover [move]: calls `work` 1000 times. Before, when told to, it copies its code to memory that is
 * no file's and puts that in its place, as programs do that want huge pages. Built as `hugified`,
 * it always does, in a function that has the name of BOLT's.
 */
#include <string.h>
#include <sys/mman.h>

#include "target.h"

#ifdef HUGIFIED
#define MOVE __bolt_hugify_self
#define ALWAYS 1
#else
#define MOVE move_code
#define ALWAYS 0
#endif

long work(long value);
void MOVE(void);

PROBED long work(long value)
{
	return opaque(value) + 1;
}

/* Finds the mapping that this function is in. */
static void find_code(unsigned long *start, unsigned long *end)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];

	while (fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx", start, end) == 2 && (unsigned long)MOVE >= *start &&
			(unsigned long)MOVE < *end)
			break;
	fclose(maps);
}

PROBED void MOVE(void)
{
	unsigned long start, end, size;
	void *copy;

	find_code(&start, &end);
	size = end - start;
	copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (copy == MAP_FAILED)
		exit(4);
	memcpy(copy, (void *)start, size);
	mprotect(copy, size, PROT_READ | PROT_EXEC);
	if (mremap(copy, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)start) == MAP_FAILED)
		exit(4);
}

int main(int argc, char **argv)
{
	(void)argv;
	if (ALWAYS || argc > 1)
		MOVE();
	target_wait("ready");
	for (long i = 0; i < 1000; i++)
		if (work(i) != i + 1)
			return 5;
	target_report("work", (struct ending){.calls = 1000, .completed = 1000});
	target_wait("done");
	return 0;
}
