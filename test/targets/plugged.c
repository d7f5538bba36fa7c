/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plugged TIMES: as hosted.c, but nothing that the program is linked with tells of C++: the library
 * is a plug-in, loaded when the program runs.
 */
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "target.h"

typedef long each_function(long times, long (*callback)(long));
typedef long fail_function(long value);

static fail_function *fail_third;

long called_back(long value);

PROBED long called_back(long value)
{
	return opaque(fail_third(value)) + 1;
}

/* The plug-in lies beside the program. */
static void *load(void)
{
	static const char name[] = "/libhost.so";
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - sizeof(name));
	char *slash;

	path[n > 0 ? n : 0] = '\0';
	slash = strrchr(path, '/');
	if (!slash)
		return NULL;
	strcpy(slash, name);
	return dlopen(path, RTLD_NOW);
}

int main(int argc, char **argv)
{
	unsigned long times = target_number(argc, argv, 1, 300), caught;
	void *plugin = load();
	each_function *each;

	if (!plugin)
		return 2;
	*(void **)&each = dlsym(plugin, "host_each");
	*(void **)&fail_third = dlsym(plugin, "host_fail_third");
	target_wait("ready");
	caught = (unsigned long)each((long)times, called_back);
	target_report("called_back", (struct ending){times, times - caught, 0, caught});
	target_wait("done");
	return caught != (times + 2) / 3;
}
