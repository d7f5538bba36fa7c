/* SPDX-License-Identifier: Apache-2.0 */
/*
 * overwritten LIBRARY: for each line with a number, opens the library anew and calls `first`,
 * `second` and `third` so often; an empty line ends it.
 *
 * overwritten LIBRARY keep: keeps the library open and calls `stays` all the time, until its second
 * line arrives; its report says how often.
 *
 * A wrong result ends it with status 4.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "overwritten.h"

typedef long function(long value);

static void *open_library(const char *path)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (library)
		return library;
	fprintf(stderr, "%s\n", dlerror());
	exit(5);
}

static function *find(void *library, const char *name)
{
	function *found = (function *)dlsym(library, name);

	if (!found)
		exit(5);
	return found;
}

static void check(const char *name, long value, long expected, long result)
{
	if (result == expected)
		return;
	fprintf(stderr, "%s(%ld): %lx, not %lx\n", name, value, result, expected);
	exit(4);
}

static void call_all(const char *path, long n)
{
	void *library = open_library(path);
	function *first = find(library, "first"), *second = find(library, "second"),
		 *third = find(library, "third");

	for (long i = 0; i < n; i++) {
		check("first", i, of_first(i), first(i));
		check("second", i, of_second(i), second(i));
		check("third", i, of_third(i), third(i));
	}
	dlclose(library);
}

static function *stays;
static atomic_bool stop;

static void *call_stays(void *calls)
{
	for (long i = 0; !atomic_load_explicit(&stop, memory_order_relaxed); i++) {
		check("stays", i, of_stays(i), stays(i));
		++*(unsigned long *)calls;
	}
	return NULL;
}

static void keep(const char *path)
{
	unsigned long calls = 0;
	pthread_t thread;

	stays = find(open_library(path), "stays");
	target_wait("ready");
	pthread_create(&thread, NULL, call_stays, &calls);
	target_wait("running");
	atomic_store(&stop, 1);
	pthread_join(thread, NULL);
	target_report("stays", (struct ending){.calls = calls, .completed = calls});
	target_wait("done");
}

int main(int argc, char **argv)
{
	char line[32];
	long n;

	if (argc < 2)
		return 2;
	if (argc > 2) {
		keep(argv[1]);
		return 0;
	}
	puts("ready");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin) && (n = strtol(line, NULL, 10))) {
		call_all(argv[1], n);
		puts("done");
		fflush(stdout);
	}
	return 0;
}
